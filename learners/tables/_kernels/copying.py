"""Copies and sums of arrays inside kernels, in loops: compiling `target[:] = source` takes seconds."""

from typing import Any

from numpy.typing import NDArray

from generators.base.compiled import kernel

__all__ = ["add_to", "copy_to"]


@kernel
def copy_to(target: NDArray[Any], source: NDArray[Any]) -> None:
    """Do ``target[: source.size] = source`` of one axis."""
    # the target must be long enough, which nothing checks
    for i in range(source.size):
        target[i] = source[i]


@kernel
def add_to(target: NDArray[Any], source: NDArray[Any]) -> None:
    """Do ``target[: source.size] += source`` of one axis."""
    for i in range(source.size):
        target[i] += source[i]
