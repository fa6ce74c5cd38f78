"""What of `compiled` needs numba when it is imported: this file is imported when a kernel is first called."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import caching, event
from numba.core.registry import cpu_target
from numba.core.types.misc import unliteral
from numba.extending import intrinsic

__all__ = ["CompileListener", "KernelLocator", "dispatcher", "type_of_intrinsic"]

ROOT = Path(__file__).resolve().parents[1]


class KernelLocator(caching.UserProvidedCacheLocator):
    """Find compiled code by its sources, not by where it is installed, so that environments share it."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Return the room of a kernel, as a name of a folder."""
        return "-".join(Path(py_file).resolve().relative_to(ROOT).parent.parts)


class CompileListener(event.Listener):
    """Hears of each kernel, also of those that another one calls."""

    def __init__(self, tell: Callable[[bool], None]) -> None:
        self._tell, self._depth = tell, 0

    def on_start(self, event: Any) -> None:
        """Tell of the first of nested kernels."""
        self._depth += 1
        if self._depth == 1:
            self._tell(True)

    def on_end(self, event: Any) -> None:
        """Tell when the first of nested kernels is done."""
        self._depth -= 1
        if self._depth == 0:
            self._tell(False)


def dispatcher(function: Callable[..., Any], folder: str) -> Any:
    """Return what compiles a function and keeps its code in a folder; one thread at a time, please."""
    ours = {"CACHE_DIR": folder, "CACHE_LOCATOR_CLASSES": f"{__name__}.{KernelLocator.__name__}"}
    before = {name: getattr(numba.config, name) for name in ours}
    vars(numba.config).update(ours)
    try:
        made = numba.njit(cache=bool(folder), nogil=True)(function)
    finally:
        vars(numba.config).update(before)
    made.get_call_template = functools.partial(_of_plain_numbers, made.get_call_template)
    return made


def _of_plain_numbers(template: Callable[..., Any], args: Any, kws: Any) -> Any:
    """Compile a callee for numbers in general, not once more for a number that is written in its caller."""
    return template([unliteral(one) for one in args], {name: unliteral(one) for name, one in kws.items()})


def type_of_intrinsic(function: Callable[..., Any]) -> Any:
    """Make a function that writes LLVM known to numba, and return its type."""
    known = intrinsic(function)
    cpu_target.typing_context.refresh()
    return cpu_target.typing_context.resolve_value_type(known)
