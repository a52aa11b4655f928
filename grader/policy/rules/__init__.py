"""The rules, in the order in which their findings are told."""

from __future__ import annotations

from grader.policy.rules import (
    banned_builtin,
    banned_import,
    banned_syntax,
    hidden_way,
    max_lines,
    own_module,
    pasted_library,
    recursion,
    required,
    stray_file,
    syntax_error,
)

RULES = (
    syntax_error,
    banned_import,
    pasted_library,
    banned_builtin,
    banned_syntax,
    required,
    recursion,
    max_lines,
    own_module,
    hidden_way,
    stray_file,
)
"""Each module has a `PAGE` and `check(desk, policy)`."""
