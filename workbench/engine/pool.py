"""A pool of worker processes: a cell that takes too long or kills its process affects no other."""

import math
import queue
import threading
import time
import weakref
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from types import TracebackType

from workbench.base.errors import WorkbenchError
from workbench.engine.process import Report, WorkerProcess, packed
from workbench.engine.worker import Task, failure, now
from workbench.store.outcome import Outcome

__all__ = ["WorkerPool", "compute_apart"]

#: Seconds that a process gets to start and read its task, in addition to the limit of a cell.
SECONDS_TO_BEGIN = 60.0
#: How often a cell is tried if its worker process ends; the second time shows whether it is the cause.
TRIES = 2
#: How many processes in a row may end before they are ready.
STARTS = 5
#: Seconds between checks for Ctrl-C where a wait cannot be interrupted.
PATIENCE = 1.0
#: How many more processes may be idle than work; each takes some 150 MB.
SPARE = 4
#: Seconds that the rehearsal of a learner of unknown code may take if nobody has set a limit.
LONGEST_REHEARSAL = 30.0
#: Seconds for which reports are gathered.
GATHERING = 0.1
#: Grace period after a cell's limit, as this process may have been delayed itself.
GRACE = 0.05


@dataclass
class _Work:
    """The current work of one process."""

    worker: WorkerProcess
    task: Task
    limit: float = math.inf  # seconds for a cell
    identity: str = ""
    started: str = field(default_factory=now)
    given: float = field(default_factory=time.monotonic)
    since: float = math.inf  # no cell has begun
    late: float = math.inf  # when the limit was found to be exceeded
    stopped_at: str | None = None
    compiling: bool = False
    ended: set[str] = field(default_factory=set)

    def begin(self, identity: str) -> None:
        """Record that a cell begins. An empty identity stands for drawing the rows."""
        self.identity, self.started, self.since, self.late = identity, now(), time.monotonic(), math.inf

    @property
    def due(self) -> float:
        """Return the time by which the cell must have ended, or the process must be ready."""
        begun = self.since < math.inf
        return (self.since if begun else self.given + SECONDS_TO_BEGIN) + self.limit

    @property
    def in_flight(self) -> list[str]:
        """The cell that is being computed, or all cells while rows are drawn."""
        return [self.identity] if self.identity else [identity for identity, _, _ in self.task.cells]

    def part(self, identities: set[str]) -> Task:
        """Return the task with only some of its cells."""
        return replace(self.task, cells=tuple(cell for cell in self.task.cells if cell[0] in identities))


class WorkerPool:
    """Compute tasks on worker processes that may be killed at any moment."""

    # A cell that exceeds the limit is stopped with its process, even inside compiled code, and times out. A
    # cell whose process ends otherwise (lack of memory, a crash) is tried once more in a new one, and fails
    # if that ends, too. Cells that had not begun are reassigned. Idle processes of learners of unknown code
    # are closed when there are many.

    def __init__(
        self,
        n_workers: int,
        *,
        time_limit: float | None = None,
        hand_out: Callable[[Task], None] = lambda task: None,
        compiles: Callable[[bool], None] = lambda begins: None,
    ) -> None:
        self._n_workers = n_workers
        self._time_limit = time_limit
        self._hand_out = hand_out
        self._compiles = compiles
        self._reports: queue.SimpleQueue[Report] = queue.SimpleQueue()
        self._idle: list[WorkerProcess] = []
        self._busy: dict[WorkerProcess, _Work] = {}
        self._again: deque[Task] = deque()
        self._deaths: dict[str, int] = {}
        self._stillborn = 0

    def __enter__(self) -> "WorkerPool":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, place: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Kill all processes."""
        for worker in (*self._idle, *self._busy):
            worker.close()
        self._idle, self._busy = [], {}

    def outcomes(self, tasks: Iterator[Task]) -> Generator[list[Outcome], None, None]:
        """Compute tasks, and yield outcomes as they arrive."""
        if found := self._occupy(tasks):
            yield found
        while self._busy:
            found = [outcome for report in self._heard() for outcome in self._learn(report)]
            found += self._occupy(tasks)  # before outcomes are written, so that no process waits for that
            if found:
                yield found
            self._stop_what_takes_too_long()

    def _occupy(self, tasks: Iterator[Task]) -> list[Outcome]:
        """Assign tasks to all free processes, and return the cells that cannot be sent."""
        unsent: list[Outcome] = []
        while len(self._busy) < self._n_workers:
            task = self._again.popleft() if self._again else next(tasks, None)
            if task is None:
                break
            try:
                content = packed(task)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                if len(task.cells) > 1:  # one of them is to blame
                    self._again.extendleft(replace(task, cells=(cell,)) for cell in reversed(task.cells))
                else:
                    self._hand_out(task)
                    unsent.append(_unsent(task, error))
                continue
            worker = self._free_worker(task.alone)
            self._busy[worker] = _Work(worker, task, self._limit(task))
            self._hand_out(task)
            worker.give(content)
        return unsent

    def _limit(self, task: Task) -> float:
        """Return the seconds that a cell of a task may take."""
        limit = math.inf if self._time_limit is None else self._time_limit
        return min(limit, LONGEST_REHEARSAL) if task.is_rehearsal and task.alone else limit

    def _free_worker(self, alone: str) -> WorkerProcess:
        """Return an idle process for a learner, or for all known code, or a new one."""
        for worker in [one for one in self._idle if one.alone == alone]:
            self._idle.remove(worker)
            if worker.alive:
                return worker
            worker.close()
        try:
            return WorkerProcess(self._reports.put, alone)
        except OSError as error:
            raise WorkbenchError(
                f"no worker process can be started ({error.strerror}): use fewer jobs, or free memory"
            ) from error

    def _close_spare(self) -> None:
        """Close idle processes that are not needed soon, first of learners that have several."""
        while len(self._idle) > self._n_workers + SPARE:
            number = Counter(worker.alone for worker in self._idle)
            worker = max(self._idle, key=lambda worker: number[worker.alone])
            self._idle.remove(worker)
            worker.close()

    def _heard(self) -> list[Report]:
        """Wait for the next reports, at most until a cell is due, and return all that have arrived."""
        # without a time limit, reports that nobody waits for are gathered for a while and written at once;
        # Ctrl-C loses as much
        heard: list[Report] = []
        due = min(work.due for work in self._busy.values())
        until = time.monotonic() + min(PATIENCE, max(GRACE, due - time.monotonic()))
        try:
            while True:
                heard.append(self._reports.get(timeout=max(0.0, until - time.monotonic())))
                gathers = self._time_limit is None and heard[-1].kind in ("begins", "outcome")
                until = min(until, time.monotonic() + GATHERING if gathers else 0.0)
        except queue.Empty:
            return heard

    def _learn(self, report: Report) -> list[Outcome]:
        """Process a report, and return the cells that ended with it."""
        work = self._busy.get(report.worker)
        if work is None:  # an idle process has been closed
            return []
        if report.kind != "ended":
            self._stillborn = 0
        if report.kind == "begins":
            work.begin(report.content)
        elif report.kind == "compiles":
            work.compiling = report.content
            self._compiles(report.content)
        elif report.kind == "outcome":
            work.ended.add(report.content.identity)
            return [report.content]
        elif report.kind == "ended":
            del self._busy[report.worker]
            if work.compiling:
                self._compiles(False)
            return self._bury(work)
        else:
            del self._busy[report.worker]
            self._idle += [report.worker] if work.stopped_at is None else []  # that one has been killed
            self._close_spare()
            if report.kind == "refused":
                message, text = report.content
                return [_ended(work, one, "failed", message, text) for one in work.in_flight]
        return []

    def _bury(self, work: _Work) -> list[Outcome]:
        """Decide the state of the cells of a process that has ended."""
        if not work.worker.is_up and work.stopped_at is None:
            self._count_stillborn(work)
            self._again.append(work.task)
            return []
        lost = {identity for identity in work.in_flight if identity not in work.ended}
        self._begin_again(work, {identity for identity, _, _ in work.task.cells} - work.ended - lost)
        if work.stopped_at == work.identity:
            what = "it" if work.identity else "drawing the rows" if work.since < math.inf else "beginning"
            message = (
                f"TimeLimit: {what} took longer than {work.limit:g} s and was stopped. The first run on a "
                "machine includes compilation"
            )
            return [_ended(work, identity, "timed_out", message) for identity in sorted(lost)]
        if work.stopped_at is None:  # otherwise it had just begun the next cell
            for identity in lost:
                self._deaths[identity] = self._deaths.get(identity, 0) + 1
        again = {identity for identity in lost if self._deaths.get(identity, 0) < TRIES}
        self._begin_again(work, again)
        return [_ended(work, identity, "failed", _obituary(work)) for identity in sorted(lost - again)]

    def _count_stillborn(self, work: _Work) -> None:
        self._stillborn += 1
        if self._stillborn >= STARTS:
            raise WorkbenchError(
                f"{STARTS} worker processes ended before they were ready, the last {work.worker.ending()}: "
                "see their output above, or compute in one process, in Python with n_jobs=1 and isolate=False"
            )

    def _begin_again(self, work: _Work, identities: set[str]) -> None:
        if identities:
            self._again.append(work.part(identities))

    def _stop_what_takes_too_long(self) -> None:
        moment = time.monotonic()
        for work in self._busy.values():
            if work.stopped_at is not None or moment <= work.due:
                continue
            work.late = min(work.late, moment)
            if moment - work.late >= GRACE:
                work.stopped_at = work.identity
                work.worker.kill()


def _obituary(work: _Work) -> str:
    ending = work.worker.ending()
    before = " before it began" if work.since == math.inf else ""
    reason = "ended by the learner, or by a library that it calls"
    if ending.endswith("SIGKILL"):
        reason = "perhaps for lack of memory: use fewer jobs or smaller cells"
    return f"WorkerEnded: its worker process {ending}{before}, {TRIES} times, {reason}"


def _unsent(task: Task, error: BaseException) -> Outcome:
    message, text = failure(error)
    words = (
        f"NotSent: the learner, or its data, cannot be sent to another process ({message}): compute it in "
        "one process, in Python with n_jobs=1 and isolate=False"
    )
    return Outcome(task.cells[0][0], "failed", now(), now(), message=words, traceback=text)


def _ended(work: _Work, identity: str, state: str, message: str, text: str = "") -> Outcome:
    return Outcome(identity, state, work.started, now(), message=message, traceback=text)


class _Own:
    """The pools of a thread, which are closed when the thread or the process ends."""

    def __init__(self) -> None:
        self.pools: dict[float | None, WorkerPool] = {}


_threads = threading.local()


def compute_apart(task: Task, time_limit: float | None = None) -> list[Outcome]:
    """Compute a task in a separate process of the calling thread, which may be killed with its cell."""
    own: _Own = vars(_threads).setdefault("own", _Own())
    if time_limit not in own.pools:
        own.pools[time_limit] = WorkerPool(1, time_limit=time_limit)
        weakref.finalize(own, own.pools[time_limit].close)
    found = own.pools[time_limit].outcomes(iter([task]))
    return [outcome for outcomes in found for outcome in outcomes]
