from __future__ import annotations
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, get_type_hints
import copy, pickle, abc, functools
@dataclass(order=True)
class Point:
    x: int
    y: int = 0
    tags: list[str] = field(default_factory=list)
class Way(Enum):
    N = 1
    E = 2
class Move(NamedTuple):
    way: Way
    far: int = 1
print(Point(1) < Point(2), Way["N"], Move(Way.E), get_type_hints(Point), copy.deepcopy(Point(1)))
print(pickle.loads(pickle.dumps(Point(3))), repr(Point), Point.__module__)
x: int = 3
print(__annotations__)
