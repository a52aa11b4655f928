"""Starts the zygote: the one file that the student's interpreter runs as a script.

Not by `python3 -c`, whose text newer Pythons keep for tracebacks, and load a module for that.
"""

import inside.zygote  # type: ignore[import-not-found]  # the folder of this file is where a script's imports begin

inside.zygote.main()
