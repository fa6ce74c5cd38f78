"""Cells on a Dask cluster, with the same numbers. A single process writes the store."""

import logging
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.base.errors import WorkbenchError
from workbench.base.text import count_of
from workbench.engine.pool import compute_apart
from workbench.engine.provenance import versions
from workbench.engine.worker import Task, now
from workbench.store.outcome import Outcome

if TYPE_CHECKING:
    from distributed import Client, Future

__all__ = ["NoDaskWorkersWarning", "on_dask", "outcomes_on_dask"]

#: How many tasks are queued for each thread of the cluster, so that none waits.
AHEAD = 2
SECONDS_TO_CONNECT = 10.0
GONE = "the Dask cluster is gone, and finished cells are kept: start it again and run the same command"


class NoDaskWorkersWarning(UserWarning):
    """A Dask cluster has no worker yet, so nothing is computed."""


@contextmanager
def on_dask(address: str, n_workers: int | None = None) -> Iterator["Client"]:
    """Run the studies inside the block on a Dask cluster.

    `address` is the scheduler's, tcp://HOST:PORT, or "local" for a cluster of `n_workers` processes on this
    machine that ends with the block. It raises WorkbenchError without Dask, without an answer, and if a
    worker has other versions of the packages that determine results. It waits for a cluster without workers.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise WorkbenchError(
            "Dask is not installed: install the extra dask, `pip install 'learner-workbench[dask]'`"
        ) from error
    import joblib

    if address != "local" and "://" not in address:
        raise WorkbenchError(
            f"{address!r} is not the address of a Dask scheduler: use tcp://HOST:PORT, or local"
        )
    if address == "local":
        with (
            LocalCluster(n_workers=n_workers, threads_per_worker=1, dashboard_address=":0") as cluster,
            Client(cluster, set_as_default=False) as client,
            joblib.parallel_config(backend="dask", client=client, n_jobs=-1),
        ):
            yield client
        return
    try:
        client = Client(address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise WorkbenchError(
            f"no Dask scheduler answers at {address!r}: use the address that `dask scheduler` prints, "
            "tcp://HOST:PORT, or local"
        ) from error
    with client, joblib.parallel_config(backend="dask", client=client, n_jobs=-1):
        _check_versions(client)
        yield client


def outcomes_on_dask(
    client: "Client",
    tasks: Iterator[Task],
    hand_out: Callable[[Task], None],
    time_limit: float | None = None,
) -> Generator[list[Outcome], None, None]:
    """Compute tasks on a Dask cluster, and yield outcomes as they arrive."""
    # Each thread of a worker computes in a separate process, which a learner may kill. Dask reassigns the
    # tasks of a lost worker; one that is lost with several is split into its cells, and a cell that is lost
    # as often fails.
    from distributed import as_completed

    own = versions()
    again: deque[Task] = deque()
    flying: dict[Future, Task] = {}
    landed = as_completed(loop=client.loop)
    try:
        while True:
            room = AHEAD * max(1, sum(client.ncores().values()))  # the number of threads may change
            for task in _next(tasks, again, room - len(flying)):
                hand_out(task)
                with warnings.catch_warnings():
                    warnings.filterwarnings("ignore", message="Sending large graph")  # rows of a data set
                    future = client.submit(_compute, task, time_limit, own, pure=False)
                flying[future] = task
                landed.add(future)
            if not flying:
                return
            future = next(landed)
            yield from _landed(client, future, flying.pop(future), again)
    except OSError as error:
        raise WorkbenchError(GONE) from error
    finally:
        if flying and client.status == "running":
            client.cancel(list(flying))


def _compute(task: Task, time_limit: float | None, wanted: dict[str, str | None]) -> list[Outcome]:
    """Compute a task on a worker, which may have joined after versions were checked."""
    _check_same(versions(), wanted, "a Dask worker that joined later")
    return compute_apart(task, time_limit)


def _check_same(there: dict[str, str | None], wanted: dict[str, str | None], who: str) -> None:
    for name, version in wanted.items():
        if there.get(name) != version:
            raise WorkbenchError(
                f"{who} has {name} {there.get(name)} and this process {version}: install the same versions, "
                "or the numbers may differ"
            )


def _next(tasks: Iterator[Task], again: deque[Task], room: int) -> Iterator[Task]:
    for _ in range(room):
        task = again.popleft() if again else next(tasks, None)
        if task is None:
            return
        yield task


def _landed(client: "Client", future: "Future", task: Task, again: deque[Task]) -> Iterator[list[Outcome]]:
    """Return the outcomes of a task that has ended, or queue it again."""
    from distributed import KilledWorker

    if client.status != "running":
        raise WorkbenchError(GONE)
    if future.status == "finished":
        yield future.result()
    elif future.status == "cancelled":  # lost by the scheduler
        again.append(task)
    elif isinstance(error := future.exception(), WorkbenchError):
        raise error
    elif isinstance(error, KilledWorker):
        if len(task.cells) > 1:
            again.extend(replace(task, cells=(cell,)) for cell in task.cells)
            return
        workers = count_of(error.allowed_failures + 1, "worker")
        message = (
            f"WorkerEnded: {workers} of the cluster ended while computing the cell, perhaps for lack of "
            "memory: use smaller cells or larger workers"
        )
        yield [Outcome(identity, "failed", now(), now(), message=message) for identity, _, _ in task.cells]
    else:
        raise WorkbenchError(
            f"a worker of the Dask cluster could not begin its task ({type(error).__name__}: {error}): "
            "install learner-workbench and the learners' packages on every worker, in the same versions"
        ) from error


def _check_versions(client: "Client") -> None:
    """Raise WorkbenchError for workers that might compute other numbers."""
    if not client.ncores():
        warnings.warn(
            "the Dask cluster has no worker yet: cells wait for one", NoDaskWorkersWarning, stacklevel=4
        )
    own, quiet = versions(), logging.getLogger("distributed")
    before = quiet.level
    quiet.setLevel(logging.CRITICAL)  # import errors on a worker are reported below
    try:
        found: dict[str, Any] = client.run(versions, on_error="return")
    finally:
        quiet.setLevel(before)
    for address, there in found.items():
        if isinstance(there, Exception):
            raise WorkbenchError(
                f"the Dask worker {address} cannot import learner-workbench ({there}): install it there, "
                "in the same version"
            )
        _check_same(there, own, f"the Dask worker {address}")
