from typing import Optional, List, NamedTuple
class Pos(NamedTuple):
    x: int
    copy: int = 0
def solve(grid: List[list]) -> Optional[int]:
    return Pos(1).copy
