"""Turns settings into concrete parts: which sandbox, which engine, which readers."""

from __future__ import annotations

from contextlib import ExitStack, closing, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import msgspec

from grader.catalogue.kits import kit_of, kit_path
from grader.engines.local import open_engine as open_engine_at
from grader.engines.worker import SandboxFactory, cores
from grader.errors import GraderError, SandboxError
from grader.judge.registry import NAMES
from grader.log import log
from grader.model.file_names import cache_folder
from grader.model.run import Agent
from grader.model.verdict import Level
from grader.pipeline.grade import Grading, Reading
from grader.pipeline.grade_case import python_of, read_alone, run_case
from grader.pipeline.prepare import for_this_machine, prepare_case
from grader.policy.shipped import watcher_source
from grader.readers.pool import Readers
from grader.sandbox.open import open_sandbox
from grader.sandbox.supervisor.shortage import refuse as refuse_shortage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from grader.cache.known import Known
    from grader.hunt.ask import Asker
    from grader.model.assignment import Assignment
    from grader.model.result import CaseResult, Isolation
    from grader.model.run import How
    from grader.model.seams import Engine, Sandbox
    from grader.model.submission import Submission
    from grader.pipeline.prepare import Plan, Prepared
    from grader.readers.job import Job


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What a command line says about how to run."""

    engine: str = "local"
    workers: int = 0
    """0 for one per core."""
    require: Level | None = None
    """The weakest wall that is accepted; None for what the assignment says, which is `confined` by default."""
    fresh: bool = False
    """Run everything again."""
    remember: bool = True
    """Keep results, so that nothing is run twice that didn't change; a cluster's machines are in no key."""


@contextmanager
def open_grading(
    settings: Settings, plan: Plan, *, jobs: Sequence[Job[Any, Any]] = (), engine: Engine | None = None
) -> Iterator[Grading]:
    """Open all that grades a plan, and leave nothing behind; readers can do more `jobs`, an open engine is shared."""
    plan = msgspec.structs.replace(plan, cases=tuple(map(for_this_machine, plan.cases)))
    if engine is None and settings.engine.startswith("local"):
        refuse_shortage(settings.workers or cores(), {prepared.case.limits for prepared in plan.cases})
    reading = Reading.of(plan)
    remembers = settings.remember and settings.engine.startswith("local")
    with (
        open_readers((*reading.jobs, *jobs), settings) as readers,  # first: they are forked before threads start
        nullcontext(engine) if engine else open_engine(settings, plan.assignment, plan) as running,
        _open_known(plan, running, settings) if remembers else nullcontext() as known,
    ):
        try:
            yield Grading(plan, running, readers, reading, known)
        finally:
            readers.dismiss()  # they end while the engine does


@contextmanager
def _open_known(plan: Plan, engine: Engine, settings: Settings) -> Iterator[Known | None]:
    """Open what was judged before; nothing is known where it can't be told what results depend on, or be kept."""
    isolation = engine.isolation
    with ExitStack() as opened:
        known = None
        try:
            from grader.cache.known import Known, code_of  # noqa: PLC0415 - a `check` does without SQLite
            from grader.cache.store import Store  # noqa: PLC0415 - the same

            code = code_of(_modules(plan), plan.assignment.packages)
            store = opened.enter_context(closing(Store(cache_folder())))
            fresh = settings.fresh
            known = opened.enter_context(closing(Known(store, code, plan.assignment, isolation, fresh=fresh)))
        except Exception as error:  # noqa: BLE001 - what can't be kept, on whatever system, is run again
            log().warning("no result is remembered: %s", error)
        yield known


def _modules(plan: Plan) -> set[str]:
    """Name the modules of a course that run and judge: kits, judges, worlds."""
    modules = {how.world.partition(":")[0] for how in _hows(plan) if isinstance(how, Agent)}
    for kind in plan.assignment.kinds.values():
        modules |= {type(kit_of(kind)).__module__, kit_path(kind.kit).partition(":")[0]}
        modules |= {kind.judge} - {*NAMES}
    return modules


def _hows(plan: Plan) -> Iterator[How]:
    """Yield how cases run, with one of each kind that the plan leaves out: `--only` finds what all cases left."""
    yield from (prepared.how for prepared in plan.cases)
    others = {case.kind.name: case for case in plan.assignment.cases}
    for name in others.keys() - {prepared.case.kind.name for prepared in plan.cases}:
        yield prepare_case(others[name], kit_of(others[name].kind)).how


def grade_bounded(prepared: Prepared, submission: Submission, assignment: Assignment, sandbox: Sandbox) -> CaseResult:
    """Grade one case as `grade_case` does, judged by a reader of its own."""
    prepared = for_this_machine(prepared)
    reading = read_alone(prepared, assignment.policy.cost)
    with open_readers(reading.jobs, Settings(workers=1)) as readers:
        record = run_case(prepared, submission, assignment, sandbox)
        return readers.ask(reading.read(None, prepared, record, files=python_of(submission)))


@contextmanager
def open_readers(jobs: Sequence[Job[Any, Any]], settings: Settings) -> Iterator[Readers]:
    """Start the processes that read students' words, as many as there are cores to use."""
    with closing(Readers(jobs, count=min(settings.workers or cores(), cores()))) as readers:
        yield readers


@contextmanager
def open_engine(
    settings: Settings, assignment: Assignment | None = None, plan: Plan | None = None
) -> Iterator[Engine]:
    """Open the engine that the settings ask for, for this plan's cases if one is given; leave nothing behind.

    Raise SandboxError where it runs programs in a weaker sandbox than the settings or the assignment accept.
    """
    if settings.engine.startswith("local"):
        refuse_shortage(settings.workers or cores())
    engine: Engine = open_engine_at(settings.engine, factory=sandbox_factory(plan), workers=settings.workers or None)
    try:
        _demand(engine.isolation, settings.require, assignment)
        yield engine
    finally:
        is_weak = _is_weak(engine)
        engine.close()
        if is_weak:  # a program could have written there whatever it likes
            from grader.cache.store import forget  # noqa: PLC0415 - as above

            forget(cache_folder())


@contextmanager
def open_asker(assignment: Assignment, settings: Settings | None = None) -> Iterator[Asker]:
    """Open what puts puzzles to a submission, on all cores."""
    from grader.hunt.ask import Asker, Questions  # noqa: PLC0415 - only a hunt needs it

    questions, settings = Questions(assignment), settings or Settings()
    with open_readers(questions.jobs, settings) as readers, open_engine(settings, assignment) as engine:
        yield Asker(questions, engine, readers)


@contextmanager
def open_one_sandbox(settings: Settings, assignment: Assignment) -> Iterator[Sandbox]:
    """Open a single warm sandbox, for work that goes one puzzle after the other; refuse as `open_engine` does."""
    with closing(open_sandbox(packages=assignment.packages, watcher_source=watcher_source())) as sandbox:
        _demand(sandbox.isolation, settings.require, assignment)
        yield sandbox


def sandbox_factory(plan: Plan | None = None) -> SandboxFactory:
    """Say how a worker, here or on another machine, opens its sandbox."""
    options: dict[str, Any] = {"watcher_source": watcher_source()}
    if plan and plan.cases:
        options["first"] = (plan.assignment.policy.watched, plan.cases[0].case.limits.disk_mib)
    return SandboxFactory(factory="grader.sandbox.open:open_sandbox", options=options)


def _is_weak(engine: Engine) -> bool:
    try:
        return not Level(engine.isolation.level).reaches(Level.CONFINED)
    except (GraderError, OSError):  # then nothing was run
        return False


def _demand(isolation: Isolation, named: Level | None, assignment: Assignment | None) -> None:
    """Refuse a weaker sandbox than the command line names, or else the assignment: the one floor of all commands."""
    required = named or (assignment.require_isolation if assignment else Level.CONFINED)
    level = Level(isolation.level)
    if not level.reaches(required):
        raise SandboxError(
            f"this machine offers the isolation '{level}', and '{required}' was required; nothing was run",
            hint=(
                f"`grader doctor` says what would raise it; to accept it, name it: --require-isolation {level}, "
                f"or `require_isolation: {level}` in assignment.yaml"
            ),
        )
