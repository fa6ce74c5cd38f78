"""What a store keeps of a learner's answers on test rows: probabilities, and sets where it has its own."""

import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Prediction"]


@dataclass(frozen=True)
class Prediction:
    """Answers on the test rows, in bytes.

    Parameters
    ----------
    n_rows, n_classes : int
    content : bytes
        Probabilities: float64, row by row, little-endian, compressed by zlib.
    sets : bytes or None
        Predicted sets: one bit a row and class, row by row, compressed by zlib; None where the learner has no
        `predict_set`.

    Examples
    --------
    >>> kept = Prediction.of(np.array([[0.25, 0.75]]), np.array([[True, True]]))
    >>> kept.y_prob, kept.y_set
    (array([[0.25, 0.75]]), array([[ True,  True]]))
    """

    n_rows: int
    n_classes: int
    content: bytes
    sets: bytes | None = None

    @classmethod
    def of(cls, y_prob: NDArray[np.float64], y_set: NDArray[np.bool_] | None) -> "Prediction":
        """Pack answers.

        Parameters
        ----------
        y_prob : ndarray of shape (n_rows, n_classes)
        y_set : ndarray of bool of shape (n_rows, n_classes) or None

        Returns
        -------
        Prediction
        """
        n_rows, n_classes = y_prob.shape
        content = zlib.compress(y_prob.astype("<f8").tobytes(), 1)
        sets = None if y_set is None else zlib.compress(np.packbits(y_set).tobytes(), 1)
        return cls(n_rows, n_classes, content, sets)

    @property
    def y_prob(self) -> NDArray[np.float64]:
        """The probabilities, bit for bit, of shape (n_rows, n_classes)."""
        flat = np.frombuffer(zlib.decompress(self.content), dtype="<f8")
        return flat.reshape(self.n_rows, self.n_classes).astype(np.float64)

    @property
    def y_set(self) -> NDArray[np.bool_] | None:
        """The learner's own sets, of shape (n_rows, n_classes); None if it has none."""
        if self.sets is None:
            return None
        bits = np.frombuffer(zlib.decompress(self.sets), dtype=np.uint8)
        flat = np.unpackbits(bits, count=self.n_rows * self.n_classes)
        return flat.reshape(self.n_rows, self.n_classes).astype(np.bool_)
