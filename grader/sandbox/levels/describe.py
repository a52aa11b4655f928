"""Says in words what each level does and what it lacks."""

from __future__ import annotations

from grader.model.result import Isolation
from grader.model.verdict import Level

MECHANISMS = {
    Level.NONE: (),
    Level.LIMITED: ("resource limits", "own session", "wall clock", "output caps", "clean environment"),
    Level.CONFINED: (
        "resource limits",
        "own session",
        "wall clock",
        "output caps",
        "clean environment",
        "no new privileges",
        "Landlock",
        "seccomp allow-list",
        "disk watch",
    ),
    Level.ISOLATED: (
        "resource limits",
        "wall clock",
        "output caps",
        "clean environment",
        "user namespace",
        "pid namespace",
        "mount namespace with a read-only root",
        "network namespace without interfaces",
        "ipc namespace",
        "uts namespace",
        "cgroup namespace",
        "tmpfs with size and inode limits",
        "no capabilities",
        "no new privileges",
        "Landlock",
        "seccomp allow-list",
    ),
}
"""What holds at each level when nothing is missing."""

CONSEQUENCES = {
    Level.CONFINED: (
        {
            "what": "namespaces",
            "consequence": "A program can see that a file exists, though not read it, and its disk use is watched, "
            "not walled.",
        },
    ),
    Level.LIMITED: (
        {
            "what": "Landlock, seccomp",
            "consequence": "A program runs with your own rights: it can read your files, use the network and start "
            "other programs. Marks given here are provisional.",
        },
    ),
    Level.NONE: ({"what": "everything", "consequence": "Nothing runs here."},),
    Level.ISOLATED: (),
}
"""What the lack of the next level's mechanisms means, in a sentence for students and staff."""

REMEDIES = {
    Level.CONFINED: "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 user.max_user_namespaces=10000",
    Level.LIMITED: "Linux 5.13 or newer with Landlock (boot with lsm=landlock,…) and seccomp; on macOS use a Linux "
    "machine, a virtual machine or Docker",
    Level.NONE: "Linux, macOS or WSL",
    Level.ISOLATED: "",
}
"""One command, where there is one, that raises this level to the next."""


def isolation(level: Level, why: str, *, landlock: bool = True, memory: bool = True) -> Isolation:
    """Return the statement for results and people: level, mechanisms, and each gap with its reason and remedy."""
    missing = [{**gap, "why": why, "remedy": REMEDIES[level]} for gap in CONSEQUENCES[level]]
    mechanisms = [name for name in MECHANISMS[level] if landlock or name != "Landlock"]
    if level is Level.ISOLATED and not landlock:
        missing.append(
            _gap("Landlock", "the kernel has none", "One layer of two for files is missing; the other holds.")
        )
    if not memory:
        missing.append(_gap("memory limit", "the system has no RLIMIT_AS", "A program can use all of the memory."))
    return Isolation(level=level.value, mechanisms=tuple(mechanisms), missing=tuple(missing))


def _gap(what: str, why: str, consequence: str) -> dict[str, str]:
    return {"what": what, "why": why, "consequence": consequence, "remedy": ""}
