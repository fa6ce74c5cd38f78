"""The parts of `compiled` that import numba. This file is imported when a kernel is first called."""

import contextlib
import functools
import os
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import caching, event
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.types.misc import unliteral
from numba.extending import intrinsic

try:
    import fcntl
except ImportError:  # Windows, where two processes may compile the same
    fcntl = None  # type: ignore[assignment]

__all__ = ["EVENTS", "CompileListener", "KernelLocator", "dispatcher", "type_of_intrinsic"]

ROOT = Path(__file__).resolve().parents[2]
#: What numba calls the wait for code that another process compiles.
WAITING = "kernels:waiting"
#: What keeps a caller waiting for compiled code.
EVENTS = ("numba:compile", WAITING)
#: Seconds between two looks at a lock, and those after which a process no longer waits for another one.
PATIENCE, LONGEST_WAIT = 0.02, 120.0


class KernelLocator(caching.UserProvidedCacheLocator):
    """Find compiled code by its sources, not by where it is installed, so that environments share it."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Return the folder name of a kernel."""
        return "-".join(Path(py_file).resolve().relative_to(ROOT).parent.parts)

    def ensure_cache_path(self) -> None:
        """Create the folder if possible. A read-only folder may still contain code to load."""
        with contextlib.suppress(OSError):
            os.makedirs(self.get_cache_path(), exist_ok=True)


class KernelLock:
    """A lock that lets one process compile a kernel. It ends with that process and its forks."""

    # While a kernel is locked, the kernels that it calls are locked in turn. Calls have no cycles, so
    # processes cannot deadlock. Where files cannot be locked (some network drives) they are compiled without.

    def __init__(self, path: Path) -> None:
        self._path, self._file, self._depth = path, -1, 0

    def __enter__(self) -> "KernelLock":
        self._depth += 1
        return self

    def __exit__(self, *error: object) -> None:
        self._depth -= 1
        if not self._depth and self._file >= 0:
            with contextlib.suppress(OSError):
                fcntl.flock(self._file, fcntl.LOCK_UN)  # a forked copy may have the file open, too
            os.close(self._file)
            self._file = -1

    def take(self) -> None:
        """Wait until no other process holds it, and hold it until the end of the block."""
        if fcntl is None or self._file >= 0 or not self._depth:
            return
        with contextlib.suppress(OSError):
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            if not self._is_taken():
                with event.trigger_event(WAITING):
                    until = time.monotonic() + LONGEST_WAIT
                    while not self._is_taken() and time.monotonic() < until:
                        time.sleep(PATIENCE)

    def _is_taken(self) -> bool:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class KernelCache(caching.FunctionCache):
    """A cache that takes the lock of a kernel before it reports that code is missing."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self.lock = KernelLock(Path(self._cache_path, f"{self._impl.filename_base}.lock"))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code of a signature, or None if this process has to compile it."""
        found = super().load_overload(sig, target_context)
        if found is None:
            self.lock.take()
            found = super().load_overload(sig, target_context)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store code for the next process. A full disk does not stop the fit."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_of_folder(str(Path(self._cache_path).parent), error.strerror or str(error))


@functools.cache
def _warn_of_folder(folder: str, why: str) -> None:
    warnings.warn(
        f"compiled code cannot be kept in {folder} ({why}), so that every process compiles it anew: make "
        "room, or name another folder in WORKBENCH_CACHE",
        stacklevel=2,
    )


class CompileListener(event.Listener):
    """A listener to the compilation of kernels, including nested ones."""

    def __init__(self, tell: Callable[[bool], None]) -> None:
        self._tell, self._depth = tell, 0

    def on_start(self, event: Any) -> None:
        """Report the start of the outermost kernel."""
        self._depth += 1
        if self._depth == 1:
            self._tell(True)

    def on_end(self, event: Any) -> None:
        """Report the end of the outermost kernel."""
        self._depth -= 1
        if self._depth == 0:
            self._tell(False)


def dispatcher(function: Callable[..., Any], folder: str) -> Any:
    """Return a dispatcher that compiles a function and stores its code in a folder (not thread-safe)."""
    ours = {"CACHE_DIR": folder, "CACHE_LOCATOR_CLASSES": f"{__name__}.{KernelLocator.__name__}"}
    before = {name: getattr(numba.config, name) for name in ours}
    vars(numba.config).update(ours)
    try:
        made = numba.njit(nogil=True)(function)
        if folder:
            made._cache = KernelCache(function)
            made.compile = functools.partial(_in_one_process, made.compile, made._cache.lock)
    finally:
        vars(numba.config).update(before)
    made.get_call_template = functools.partial(_of_plain_numbers, made.get_call_template)
    return made


def _in_one_process(compiles: Callable[[Any], Any], lock: KernelLock, sig: Any) -> Any:
    """Load or compile, after taking numba's lock, so that two threads cannot deadlock."""
    with global_compiler_lock, lock:
        return compiles(sig)


def _of_plain_numbers(template: Callable[..., Any], args: Any, kws: Any) -> Any:
    """Compile a callee for numbers in general, not for each literal number in its caller."""
    return template([unliteral(one) for one in args], {name: unliteral(one) for name, one in kws.items()})


def type_of_intrinsic(function: Callable[..., Any]) -> Any:
    """Make a function that writes LLVM known to numba, and return its type."""
    known = intrinsic(function)
    cpu_target.typing_context.refresh()
    return cpu_target.typing_context.resolve_value_type(known)
