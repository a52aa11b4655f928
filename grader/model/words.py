"""Numbers and counted nouns, as all that people read writes them."""

from __future__ import annotations


def number(amount: float, decimals: int = 2) -> str:
    """Return an amount with at most so many decimals and no needless zeros: 10.0 as 10, 2.504 as 2.5."""
    return f"{round(amount, decimals):.15g}"


def number_text(amount: float) -> str:
    """Return an amount of the book, whose marks keep four decimals."""
    return number(amount, 4)


def plural(amount: float, noun: str) -> str:
    return f"{number_text(amount)} {noun}{'' if amount == 1 else 's'}"
