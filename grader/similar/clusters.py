"""Joins pairs that share a submission into groups."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from grader.model.similarity import Cluster

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.model.similarity import Likeness


def clusters(pairs: Sequence[Likeness]) -> tuple[Cluster, ...]:
    """Return the groups of three and more that pairs hold together, the largest first."""
    above: dict[str, str] = {}

    def top(name: str) -> str:
        while (over := above.setdefault(name, name)) != name:
            above[name] = name = above[over]
        return name

    for pair in pairs:
        above[top(pair.first.submission)] = top(pair.second.submission)
    members, shares = defaultdict(list), defaultdict(list)
    for name in sorted(above):
        members[top(name)].append(name)
    for pair in pairs:
        shares[top(pair.first.submission)].append(pair.share)
    made = (
        Cluster(members=tuple(names), pairs=len(shares[first]), least=min(shares[first]), most=max(shares[first]))
        for first, names in members.items()
        if len(names) > 2
    )
    return tuple(sorted(made, key=lambda cluster: (-len(cluster.members), cluster.members)))
