"""The rules, in the order in which they are asked."""

from __future__ import annotations

from grader.policy.rules.banned import banned_builtin, banned_import, banned_use, hidden_way
from grader.policy.rules.files import scan_error, stray_file, syntax_error
from grader.policy.rules.modules import only, own_module, pasted_library
from grader.policy.rules.recursion import recursion
from grader.policy.rules.shape import banned_syntax, max_lines, required

_MODULES = (banned_import, banned_use, pasted_library, banned_builtin, only)
_SHAPE = (banned_syntax, required, recursion, max_lines)
_NOTES = (own_module, hidden_way, stray_file, scan_error)
RULES = (syntax_error, *_MODULES, *_SHAPE, *_NOTES)
"""`scan_error` comes last: it says what the others couldn't read."""
