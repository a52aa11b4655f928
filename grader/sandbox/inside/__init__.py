"""Code that runs on the student's side of the wall; standard library only.

The zygote imports this folder as a top-level package named `inside`, so it must not import anything of `grader`.
"""

import sys

FRESH = frozenset(sys.modules) - {__name__}
"""What a fresh interpreter has loaded: this file is the first of ours to run."""
