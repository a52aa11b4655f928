"""The rules, in the order in which their findings are told."""

from __future__ import annotations

from grader.policy.rules import (
    banned_builtin,
    banned_import,
    banned_syntax,
    banned_use,
    hidden_way,
    max_lines,
    only,
    own_module,
    pasted_library,
    recursion,
    required,
    scan_error,
    stray_file,
    syntax_error,
)

_MODULES = (banned_import, banned_use, pasted_library, banned_builtin, only)
_SHAPE = (banned_syntax, required, recursion, max_lines)
_NOTES = (own_module, hidden_way, stray_file, scan_error)
RULES = (syntax_error, *_MODULES, *_SHAPE, *_NOTES)
"""Each module has a `PAGE` and `check(program, policy)`."""
