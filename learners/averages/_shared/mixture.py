"""Mixture of several averages by their probabilities."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from learners.bayes._shared.left_out_columns import RowAverage

__all__ = ["Member", "ModelMixture"]


class Member(RowAverage, Protocol):
    """An assumption averaged over all its structures and tables."""

    # log evidence in nats; arc posteriors are [from, to], the class last

    @property
    def log_evidence(self) -> float: ...

    @property
    def arc_posteriors(self) -> NDArray[np.float64]: ...


@dataclass(frozen=True, eq=False)
class ModelMixture:
    """A mixture of joint forecasts of rows and classes."""

    members: tuple[RowAverage, ...]
    log_shares: NDArray[np.float64]  # of the probability of each, nats

    def over(self, columns: NDArray[np.intp]) -> "ModelMixture":
        """Return the mixture of forecasts of some of the columns."""
        return ModelMixture(tuple(member.over(columns) for member in self.members), self.log_shares)

    def log_joint(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        """Return the log of P(row, class), of shape (n_rows, n_classes). Missing values are summed out."""
        parts = [
            share + member.log_joint(codes)
            for share, member in zip(self.log_shares, self.members, strict=True)
        ]
        return np.asarray(np.logaddexp.reduce(parts))
