"""Recognises lines that say that a maze has no solution, in many words."""

from __future__ import annotations

import re

_APART = r"\s{1,40}+"
"""White space between words: bounded and never given back, so that reading takes time by the text's length alone."""
_WORD = rf"(?:\w{{1,30}}+{_APART})?"
_THING = r"(?:solutions?|paths?|way|route)\b"
_UNSOLVABLE = re.compile(
    rf"\bno{_APART}(?!more|other|further|shorter|better){_WORD}{_THING}|\bno[-_]?solution\b"
    r"|\bun(?:solve?able|reachable)\b|\binsolvable\b|\bimpossible\b"
    rf"|\b(?:unable|fail(?:s|ed)?){_APART}to{_APART}(?:find|solve|reach)\b"
    rf"|\b(?:does{_APART}not|doesn't){_APART}have{_APART}(?:a|any){_APART}{_WORD}{_THING}"
    rf"|\bnot{_APART}(?:be{_APART})?(?:solvable|solved|reachable|reached|possible|found)\b|\bnever{_APART}reach"
    rf"|\b(?:can\s?not|can't|couldn't|could{_APART}not){_APART}(?:be{_APART})?(?:solved?|reach(?:ed)?|find|found|get{_APART}to)\b"
    rf"|\bhas{_APART}none\b|\b(?:solution|path)s?{_APART}(?:does{_APART}not|doesn't|do{_APART}not|don't){_APART}exist\b"
    rf"|\b(?:isn't|is{_APART}not|aren't|are{_APART}not){_APART}(?:any|a){_APART}{_WORD}{_THING}",
    re.IGNORECASE,
)
_COMPARED = re.compile(r"\b(?:shorter|better|fewer|faster|cheaper|smaller|quicker)\b", re.IGNORECASE)
_NEAR = 40
"""Letters round the words within which a comparison belongs to them: `no solution is shorter than this one`."""


def denies(line: str) -> bool:
    """Tell whether a line says that there is no solution, rather than none that is shorter."""
    around = (line[max(0, found.start() - _NEAR) : found.end() + _NEAR] for found in _UNSOLVABLE.finditer(line))
    return any(not _COMPARED.search(words) for words in around)
