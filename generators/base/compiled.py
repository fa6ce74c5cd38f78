"""Compilation of kernels, once per machine and for the current sources only.

numba reuses compiled code while the function's own file is unchanged, so it misses changes in kernels called
from other files. Here the cache folder is named by a hash of all kernel sources and of how they are compiled.
numba is imported when the first kernel is called: importing a generator or learner does not wait for it.
"""

import functools
import hashlib
import os
import platform
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

__all__ = ["VARIABLE", "cache_folder", "intrinsic", "kernel", "when_compiling"]

#: Names the folder in which compiled code is kept.
VARIABLE = "WORKBENCH_CACHE"
#: Folders of other sources are removed when unused for this long.
SECONDS_UNUSED = 14 * 24 * 3600
USED = "used"
ROOT = Path(__file__).resolve().parents[2]
_decorating = threading.Lock()


class Kernel:
    """A function that numba compiles when it is first called, and that other kernels may call."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)

    def __call__(self, *args: Any) -> Any:
        """Run the compiled code."""
        return self.compiled(*args)

    def __reduce__(self) -> str:
        return str(vars(self)["__qualname__"])  # a name of its module, by which it is found again

    @functools.cached_property
    def compiled(self) -> Any:
        """Numba's dispatcher of the function, which uses cached code where it can."""
        from generators.base.numba_part import dispatcher

        function = vars(self)["__wrapped__"]
        with _decorating:  # one for all threads, or each would compile its own
            if "compiled" not in vars(self):
                folder = cache_folder(function.__module__.partition(".")[0])
                vars(self)["compiled"] = dispatcher(function, folder)
            return vars(self)["compiled"]

    @property
    def _numba_type_(self) -> Any:
        """The numba type of this kernel for the compilation of other kernels."""
        return self.compiled._numba_type_


class _Intrinsic:
    """A function in LLVM for kernels, registered in numba by the first kernel that calls it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @functools.cached_property
    def _numba_type_(self) -> Any:
        from generators.base.numba_part import type_of_intrinsic

        return type_of_intrinsic(self._function)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function by numba when it is first called, and keep the code for the next process."""
    if "_kernels" not in function.__module__.split("."):
        raise ValueError(
            f"{function.__module__}.{function.__name__} is a kernel outside the folders _kernels, so its "
            "changes would go unnoticed: move it to a file in one"
        )
    return Kernel(function)


def intrinsic(function: Callable[..., Any]) -> Any:
    """Let kernels call a function that returns its signature and how to write it in LLVM."""
    return _Intrinsic(function)


@functools.cache
def cache_folder(package: str) -> str:
    """Return the folder of a package's compiled kernels, created if needed, or "" if it cannot be created."""
    # kernels may call those of the packages below, so their hash covers these, too
    below = () if package == "generators" else ("generators", "learners")
    name = _fingerprint(sorted({*below, package}))
    for base in _bases():
        folder = base / name
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if os.name == "posix" and folder.stat().st_uid != os.getuid():
                continue  # never run code compiled by another user
            _mark_used(folder)
        except OSError:
            if not any(folder.glob("*/*.nbi")):
                continue  # what cannot be written may have code to load, as in the image of a container
        return str(folder)
    return ""


@contextmanager
def when_compiling(tell: Callable[[bool], None]) -> Iterator[None]:
    """Call a function with True when this process begins to compile, and with False when it is done."""
    # code that is found in the cache does not count; waiting for another process that compiles the same does
    from numba.core import event

    from generators.base.numba_part import EVENTS, CompileListener

    listener = CompileListener(tell)
    with ExitStack() as installed:
        for kind in EVENTS:
            installed.enter_context(event.install_listener(kind, listener))
        yield


def _fingerprint(packages: Iterable[str]) -> str:
    """Hash kernel sources, the way they are compiled, numba, llvmlite, Python and the processor."""
    import llvmlite.binding
    import numba

    versions = (numba.__version__, llvmlite.__version__, platform.python_version(), platform.machine(),
            llvmlite.binding.get_host_cpu_name())  # fmt: skip
    found = hashlib.sha256(repr(versions).encode())
    sources = [ROOT / "generators" / "base" / "numba_part.py"]  # it holds the options of the compiler
    for package in packages:
        sources += sorted((ROOT / package).rglob("_kernels/**/*.py"))
    for source in sources:
        found.update(str(source.relative_to(ROOT)).encode())
        found.update(source.read_bytes())
    return found.hexdigest()[:20]


def _bases() -> list[Path]:
    """List the possible places of the folder, the best first."""
    if VARIABLE in os.environ:
        return [Path(os.environ[VARIABLE])]
    import tempfile  # these two, and shutil below, are waited for with the first kernel

    import platformdirs

    user = getattr(os, "getuid", lambda: "user")()
    return [
        Path(platformdirs.user_cache_dir("learner-workbench", appauthor=False)) / "kernels",
        Path(tempfile.gettempdir()) / f"learner-workbench-{user}" / "kernels",
    ]


def _mark_used(folder: Path) -> None:
    """Record once a day that a folder is in use, and then remove folders unused for long."""
    stamp, now = folder / USED, time.time()
    if stamp.exists() and now - stamp.stat().st_mtime < 24 * 3600:
        return
    stamp.touch()
    import shutil

    for other in folder.parent.iterdir():
        used = other / USED
        if used.exists() and now - used.stat().st_mtime > SECONDS_UNUSED:
            shutil.rmtree(other, ignore_errors=True)
