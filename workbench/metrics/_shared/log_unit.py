"""The unit of a score that is a logarithm: bits, or nats."""

import math
from dataclasses import dataclass

__all__ = ["LogUnit", "log_unit"]


@dataclass(frozen=True)
class LogUnit:
    """What logarithms are counted in.

    Parameters
    ----------
    name : str
        "bits" or "nats".
    per_bit : float
        How many of it make one bit.
    """

    name: str
    per_bit: float


def log_unit(base: float) -> LogUnit:
    """Return the unit that goes with a base of logarithms."""
    if base == 2.0:
        return LogUnit("bits", 1.0)
    if base == math.e:
        return LogUnit("nats", math.log(2.0))
    raise ValueError(f"base is {base!r}: give 2.0 for bits or math.e for nats")
