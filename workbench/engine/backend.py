"""Where tasks are computed: in this process, in worker processes, or by a backend of the user."""

import functools
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import closing
from dataclasses import dataclass

from workbench.base.errors import WorkbenchError
from workbench.base.threads import deaf_to_ctrl_c, one_library_thread, quiet_end
from workbench.engine.pool import WorkerPool, compute_apart
from workbench.engine.worker import Task, compute
from workbench.store.outcome import Outcome

__all__ = ["Backend"]


@dataclass(frozen=True)
class Backend:
    """Where and how tasks are computed."""

    n_jobs: int  # worker processes; -1 for one per core
    time_limit: float | None  # seconds of wall time for a cell
    isolate: bool  # whether a learner whose code is not known gets processes of its own

    @property
    def isolates(self) -> bool:
        """Whether tasks keep learners of unknown code apart. The user's backend mixes them."""
        return self.isolate and not self._is_the_users

    def outcomes(
        self,
        tasks: Iterator[Task],
        hand_out: Callable[[Task], None],
        *,
        compiles: Callable[[bool], None] = lambda begins: None,
    ) -> Generator[list[Outcome], None, None]:
        """Compute tasks, without a limit one job in this process, and yield outcomes as they arrive."""
        if self._is_the_users:
            yield from _outcomes_of_joblib(tasks, hand_out, self.n_jobs, self.time_limit)
            return
        import joblib

        n_workers = joblib.cpu_count() if self.n_jobs == -1 else self.n_jobs
        here = self.n_jobs == 1 and self.time_limit is None
        with WorkerPool(n_workers, time_limit=self.time_limit, hand_out=hand_out, compiles=compiles) as pool:
            if not here:
                yield from pool.outcomes(tasks)
                return
            for task in tasks:
                if task.alone:
                    yield from pool.outcomes(iter([task]))
                else:
                    hand_out(task)
                    yield compute(task, compiles)

    @property
    def _is_the_users(self) -> bool:
        if self.n_jobs == 1:
            return False
        from joblib.parallel import get_active_backend

        # A backend that was set is one object, while the default is made anew each time.
        return get_active_backend()[0] is get_active_backend()[0]


def _handed_out(tasks: Iterator[Task], hand_out: Callable[[Task], None]) -> Iterator[Task]:
    for task in tasks:
        hand_out(task)
        yield task


def _outcomes_of_joblib(
    tasks: Iterator[Task], hand_out: Callable[[Task], None], n_jobs: int, time_limit: float | None
) -> Generator[list[Outcome], None, None]:
    """Compute tasks by the backend that the user has chosen."""
    import joblib
    from joblib.parallel import get_active_backend

    client = getattr(get_active_backend()[0], "client", None)
    if client is not None:  # joblib's Dask backend does not survive the death of a worker
        from workbench.engine.dask_cluster import outcomes_on_dask

        yield from outcomes_on_dask(client, tasks, hand_out, time_limit)
        return
    one = compute if time_limit is None else functools.partial(compute_apart, time_limit=time_limit)
    tasks = _handed_out(tasks, hand_out)
    # Threads share the limit of their process, so it is set here for all of them.
    with one_library_thread(), joblib.parallel_config(n_jobs=n_jobs):
        parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)
        with deaf_to_ctrl_c():  # while the workers start: they inherit it
            begun = parallel(joblib.delayed(one)(task) for task in tasks)
        with quiet_end(), closing(begun) as results:
            try:
                yield from results
            except BrokenExecutor as error:
                raise WorkbenchError(
                    f"a worker process ended unexpectedly ({type(error).__name__}), and finished cells are "
                    "kept: run again without joblib's backend, so that only the cell that ended the process "
                    "fails"
                ) from error
