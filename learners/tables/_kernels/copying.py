"""Copies of arrays inside kernels."""

from typing import Any

from numpy.typing import NDArray

from learners.compiled import kernel

__all__ = ["copy_to"]


@kernel
def copy_to(target: NDArray[Any], source: NDArray[Any]) -> None:
    """Do ``target[: source.size] = source`` of one axis in a loop: compiling that takes seconds."""
    # the target must be long enough, which nothing checks
    for i in range(source.size):
        target[i] = source[i]
