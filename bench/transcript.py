"""Row 6: judging a long transcript against `cmp` on the same bytes.

`python -m bench.transcript FILE` judges FILE against itself: its peak memory is measured from outside.
"""

from __future__ import annotations

import subprocess
import sys
import zlib
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench.clock import medians
from bench.commands import run
from bench.row import Row, at_most, plain
from grader.judge.transcript import Expect, judge
from grader.model.assignment import Case, CaseFacts, Kind, RunAs, RunSpec
from grader.model.judgement import Trial
from grader.model.run import RunRecord, Stream
from grader.model.verdict import Ending, Verdict
from reference.lefthand.kit import kit

if TYPE_CHECKING:
    from collections.abc import Iterator

_OPTIONS = {"frame_end": "Current Direction:", "prompt": "Please give the maze file:", "alike": ("vV",)}
_MAZE = "####S###########   ####\n#  #    #      #####  #\n#  ###  #####         #\n#    #  #   #         #\n\
#  ###  ### #         #\n#           #         #\n#         ####   ######\n#    E#####\n"


def measure(*, quick: bool) -> Iterator[Row]:
    frames = 10_000 if quick else 100_000
    with TemporaryDirectory() as folder:
        small, large, sloppy, blank = (Path(folder) / f"{name}.out" for name in ("small", "large", "sloppy", "blank"))
        small.write_text(_transcript(100))
        large.write_text(_transcript(frames))
        sloppy.write_text(large.read_text().replace("\n\n", "\n"))
        blank.write_text(large.read_text().replace("\n", "  \n"))
        same, other, wider = _trial(large, large), _trial(large, sloppy), _trial(large, blank)
        compare = ["cmp", "-s", str(large), str(large) + ".copy"]
        Path(compare[-1]).write_bytes(large.read_bytes())
        exact, lenient, trailing, bytewise = medians(
            lambda: _accepted(same),
            lambda: _accepted(other),
            lambda: _accepted(wider),
            lambda: subprocess.run(compare, check=True),
            rounds=3,
        )
        peak_small, peak_large = _peak(small), _peak(large)
        size = large.stat().st_size / 2**20
    yield Row(
        number="6a",
        what=f"judging {frames:,} frames, byte for byte right",
        instead="cmp expected.out student.out",
        score=plain(exact / bytewise),
        detail=f"{size:.0f} MiB: {exact * 1e3:.0f} ms ÷ {bytewise * 1e3:.0f} ms",
    )
    yield Row(
        number="6b",
        what=f"judging {frames:,} frames, right but for empty lines",
        instead="cmp expected.out student.out",
        score=at_most(lenient / bytewise, 20),
        detail=f"{lenient * 1e3:.0f} ms ÷ {bytewise * 1e3:.0f} ms",
    )
    yield Row(
        number="6d",
        what=f"judging {frames:,} frames, right but for blanks at the end of every line",
        instead="cmp expected.out student.out",
        score=at_most(trailing / bytewise, 20),
        detail=f"{trailing * 1e3:.0f} ms ÷ {bytewise * 1e3:.0f} ms",
    )
    yield Row(
        number="6c",
        what=f"judge's peak memory, {frames:,} frames ÷ 100 frames",
        instead="(one value, no command)",
        score=plain(peak_large / peak_small),
        detail=f"{peak_large:.0f} MiB ÷ {peak_small:.0f} MiB, the compressed record included",
    )


def _transcript(frames: int) -> str:
    """Go round the seed's walk until there are enough frames; a true walk so long would need a giant map."""
    lines = list(kit().transcript(kit().parse(_MAZE)))
    walk = lines[1:-1]
    per_frame = walk.index("Current Direction: " + walk[10].rpartition(" ")[2]) + 2
    body = islice(cycle(walk), frames * per_frame)
    return "\n".join((lines[0], *body, lines[-1], ""))


def _trial(expected: Path, found: Path) -> Trial:
    run = RunSpec(run_as=RunAs.PROGRAM, module="maze_solver.py")
    kind = Kind(name="walk", run=run, kit="reference.lefthand", judge="transcript")
    case = Case(
        facts=CaseFacts(id="long", title=""),
        kind=kind,
        input="",
        raw=b"",
        options=_OPTIONS,
        expect=Expect(transcript=str(expected)),
    )
    record = RunRecord(ending=Ending.EXITED, exit_status=0, stdout=_stream(found))
    return Trial(case=case, kit=kit(), puzzle=None, record=record)


def _stream(path: Path) -> Stream:
    """Pack the file piece by piece, as the sandbox does with what a program prints."""
    pack = zlib.compressobj(1)
    with path.open("rb") as file:
        pieces = [pack.compress(piece) for piece in iter(lambda: file.read(1 << 16), b"")]
    return Stream(size=path.stat().st_size, data=b"".join((*pieces, pack.flush())), packed=True)


def _accepted(trial: Trial) -> None:
    assert judge(trial).verdict is Verdict.AC


def _peak(path: Path) -> float:
    return run((sys.executable, "-m", "bench.transcript", str(path))).peak_mib


if __name__ == "__main__":
    _accepted(_trial(Path(sys.argv[1]), Path(sys.argv[1])))
