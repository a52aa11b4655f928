"""Says in words what each level does and what it lacks."""

from __future__ import annotations

from grader.model.result import Isolation
from grader.model.verdict import Level

_ALWAYS = ("resource limits", "wall clock", "output caps", "clean environment", "own session")
_CALLS = ("no new privileges", "Landlock", "seccomp allow-list")
_NAMESPACES = (
    *("user namespace", "pid namespace", "mount namespace with a read-only root"),
    *("network namespace without interfaces", "ipc namespace", "uts namespace", "cgroup namespace"),
)
MECHANISMS = {
    Level.NONE: _ALWAYS,
    Level.CONFINED: (*_ALWAYS, *_CALLS, "disk watch"),
    Level.ISOLATED: (*_ALWAYS, *_NAMESPACES, "tmpfs with size and inode limits", "no capabilities", *_CALLS),
}
"""What holds at each level when nothing is missing."""

LACKS = {
    Level.CONFINED: (
        "namespaces",
        "A program can see that a file exists, though not read it, and its disk use is watched, not walled.",
        "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 user.max_user_namespaces=10000",
    ),
    Level.NONE: (
        "a wall",
        (
            "A program runs with your own rights: it can read your files, use the network and start other programs. "
            "Nothing gives marks here unless this is accepted by name."
        ),
        (
            "Linux 5.13 or newer with Landlock (boot with lsm=landlock,…) and seccomp; on macOS use a Linux machine, "
            "a virtual machine or Docker"
        ),
    ),
}
"""What a level lacks to the next, what that means for students and staff, and what raises it: a command, if any."""


def isolation(level: Level, why: str, *, landlock: bool = True, memory: bool = True) -> Isolation:
    """Return the statement for results and people: level, mechanisms, and each gap with its reason and remedy."""
    missing = [_gap(what, why, means, remedy) for lack, (what, means, remedy) in LACKS.items() if lack is level]
    mechanisms = [name for name in MECHANISMS[level] if landlock or name != "Landlock"]
    if level is Level.ISOLATED and not landlock:
        missing.append(
            _gap("Landlock", "the kernel has none", "One layer of two for files is missing; the other holds.")
        )
    if not memory:
        missing.append(_gap("memory limit", "the system has no RLIMIT_AS", "A program can use all of the memory."))
    return Isolation(level=level.value, mechanisms=tuple(mechanisms), missing=tuple(missing))


def _gap(what: str, why: str, consequence: str, remedy: str = "") -> dict[str, str]:
    return {"what": what, "why": why, "consequence": consequence, "remedy": remedy}
