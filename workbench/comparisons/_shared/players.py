"""Scores of players on the same subjects, in strata, at one or several settings, with missing scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["PlayerScores", "read_players"]

#: Numbers of an array that is held at a time.
BLOCK = 2**22


@dataclass(frozen=True, eq=False)
class PlayerScores:
    """Scores (n_subjects, n_players, n_settings), NaN if a player has none, with the subjects of strata."""

    values: NDArray[np.float64]
    labels: tuple[object, ...]
    strata: tuple[NDArray[np.intp], ...]

    @property
    def n_players(self) -> int:
        """Number of players."""
        return self.values.shape[1]

    @property
    def df(self) -> int:
        """Subjects minus strata."""
        return len(self.values) - len(self.strata)

    def parts(self) -> Iterator[tuple[object, NDArray[np.float64]]]:
        """Yield the label of each stratum and its scores, at the settings at which any player has one."""
        for label, own in zip(self.labels, self.strata, strict=True):
            scores = self.values[own]
            yield (
                label,
                scores[:, :, np.isfinite(scores).any(axis=(0, 1)) | np.isinf(scores).any(axis=(0, 1))],
            )


def read_players(values: ArrayLike, strata: ArrayLike | None) -> PlayerScores:
    """Return scores of players with their strata, or raise ValueError."""
    scores = np.asarray(values, dtype=np.float64)
    if scores.ndim == 2:
        scores = scores[:, :, None]
    if scores.ndim != 3 or scores.shape[1] < 2 or scores.shape[2] < 1:
        raise ValueError(
            f"values has shape {np.shape(values)}: expected (n_subjects, n_players) or (n_subjects, "
            "n_players, n_settings) with at least two players"
        )
    given = np.zeros(len(scores), dtype=np.intp) if strata is None else np.asarray(strata)
    if given.shape != (len(scores),):
        raise ValueError(
            f"strata has shape {given.shape}: give one stratum for each of the {len(scores)} subjects"
        )
    labels, codes, counts = np.unique(given, return_inverse=True, return_counts=True)
    if len(scores) < 2 or counts.min() < 2:
        where = "values" if strata is None or not len(scores) else f"the stratum {labels[counts.argmin()]!s}"
        raise ValueError(f"{where} has fewer than two subjects: add replicates up to at least two")
    return PlayerScores(scores, tuple(labels), tuple(np.flatnonzero(codes == k) for k in range(len(labels))))
