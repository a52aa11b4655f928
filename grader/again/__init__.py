"""Tells whether everything is as it was, so that nothing is done twice.

Nothing here may import more than Python has loaded anyway when it starts: the answer comes before click is there.
"""

import time

BEGUN_NS = time.time_ns()
"""When this process began to load the harness."""
