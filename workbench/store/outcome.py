"""The outcome of a cell, as a store keeps it: state, times, scores, and forecasts of the test rows."""

import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey

__all__ = ["Outcome", "Prediction", "Score"]


@dataclass(frozen=True, slots=True)
class Score:
    """One number of a cell."""

    key: ScoreKey
    value: float  # may be infinite, never NaN
    n_infinite: int  # rows, or attribute cells of positive probability, with an infinite score
    # Monte Carlo standard error, of sampled forecasts; None where unknown, as of metrics that are not proper
    mc_error: float | None = 0.0


@dataclass(frozen=True)
class Prediction:
    """Forecasts of the test rows, in bytes."""

    n_rows: int
    n_classes: int
    content: bytes  # probabilities: float64, row by row, little-endian, compressed by zlib
    # one bit per row and class, row by row, compressed by zlib; None without `predict_set`
    sets: bytes | None = None

    @classmethod
    def of(cls, y_prob: NDArray[np.float64], y_set: NDArray[np.bool_] | None) -> "Prediction":
        """Pack forecasts."""
        n_rows, n_classes = y_prob.shape
        content = zlib.compress(y_prob.astype("<f8").tobytes(), 1)
        sets = None if y_set is None else zlib.compress(np.packbits(y_set).tobytes(), 1)
        return cls(n_rows, n_classes, content, sets)

    @property
    def y_prob(self) -> NDArray[np.float64]:
        """The probabilities, bit for bit, of shape (n_rows, n_classes)."""
        flat = np.frombuffer(_unpacked(self.content), dtype="<f8")
        return flat.reshape(self.n_rows, self.n_classes).astype(np.float64)

    @property
    def y_set(self) -> NDArray[np.bool_] | None:
        """The learner's predicted sets, of shape (n_rows, n_classes), or None."""
        if self.sets is None:
            return None
        bits = np.frombuffer(_unpacked(self.sets), dtype=np.uint8)
        flat = np.unpackbits(bits, count=self.n_rows * self.n_classes)
        return flat.reshape(self.n_rows, self.n_classes).astype(np.bool_)


def _unpacked(packed: bytes) -> bytes:
    try:
        return zlib.decompress(packed)
    except zlib.error as error:
        raise WorkbenchError(
            f"predictions in the store cannot be unpacked ({error}): restore a copy of the store"
        ) from error


@dataclass(frozen=True)
class Outcome:
    """The outcome of a cell."""

    identity: str  # of the cell
    state: str  # done, failed or timed_out
    started: str  # ISO 8601, UTC
    finished: str
    fit_seconds: float | None = None  # wall time; None for steps that were not reached
    predict_seconds: float | None = None
    score_seconds: float | None = None
    scores: tuple[Score, ...] = ()  # empty if the cell failed
    exact: bool = False  # whether the attribute space was small enough for exact scores
    test_digest: str = ""  # hash of the test rows
    prediction: Prediction | None = None
    message: str = ""  # why the cell failed; of one that is done, that the learner refused its rows
    traceback: str = ""
    r_hat: float | None = None  # of sampled forecasts: near 1 if their chains agree
