"""Class posteriors of coded rows, from one network or a weighted mixture."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.networks.network import Network
from learners.networks._kernels.network_posterior import blanket_posterior

__all__ = ["MixedForecast", "NetworkForecast", "ClassBlanket"]


@dataclass(frozen=True, eq=False)
class ClassBlanket:
    """The families of the class and of its children, laid out for `blanket_posterior`."""

    n_classes: int
    arities: NDArray[np.int64]
    ln_tables: NDArray[np.float64]
    starts: NDArray[np.int64]
    class_strides: NDArray[np.int64]
    members: NDArray[np.int64]
    strides: NDArray[np.int64]
    ends: NDArray[np.int64]

    @classmethod
    def of(
        cls, parents: tuple[tuple[int, ...], ...], cpts: tuple[NDArray[np.float64], ...]
    ) -> "ClassBlanket":
        """Collect the families that contain the class, which is the last variable."""
        class_index = len(parents) - 1
        starts, class_strides, members, strides, ends = [], [], [], [], []
        tables: list[NDArray[np.float64]] = []
        size = 0
        for v, others in enumerate(parents):
            family = (*others, v)
            if class_index not in family:
                continue
            starts.append(size)
            for u, step in zip(family, _steps(cpts[v].shape), strict=True):
                if u == class_index:
                    class_strides.append(step)
                else:
                    members.append(u)
                    strides.append(step)
            ends.append(len(members))
            tables.append(cpts[v].reshape(-1))
            size += cpts[v].size
        arities = np.array([cpt.shape[-1] for cpt in cpts[:class_index]], dtype=np.int64)
        layout = (np.array(part, dtype=np.int64) for part in (starts, class_strides, members, strides, ends))
        return cls(cpts[class_index].shape[-1], arities, np.log(np.concatenate(tables)), *layout)

    def posterior(self, codes: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return the class posterior of each row without missing values in the blanket."""
        out = np.empty((codes.shape[1], self.n_classes))
        complete = np.empty(codes.shape[1], dtype=np.bool_)
        blanket_posterior(
            codes, self.arities, self.ln_tables, self.starts, self.class_strides,
            self.members, self.strides, self.ends, out, complete,
        )  # fmt: skip
        return out, complete


def _steps(shape: tuple[int, ...]) -> list[int]:
    """Return the steps of a contiguous table along its axes, in entries."""
    steps, step = [], 1
    for arity in reversed(shape):
        steps.append(step)
        step *= arity
    return steps[::-1]


@dataclass(frozen=True, eq=False)
class NetworkForecast:
    """One network with the class as last variable, and the families that matter for complete rows."""

    network: Network
    blanket: ClassBlanket

    @classmethod
    def of(cls, network: Network) -> "NetworkForecast":
        """Prepare a network whose probabilities are all positive."""
        return cls(network, ClassBlanket.of(network.parent_indices, network.cpts))

    def posterior(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        """Return the probability of each class for each row."""
        probabilities, complete = self.blanket.posterior(codes)
        if not complete.all():
            holed = codes[:, ~complete].T.astype(np.int64)
            known = np.where(holed < self.blanket.arities, holed, -1)
            probabilities[~complete] = self.network.posterior(known)
        return probabilities


@dataclass(frozen=True, eq=False)
class MixedForecast:
    """Networks whose forecasts are averaged with fixed weights, which sum to 1."""

    weights: NDArray[np.float64]
    members: Sequence[NetworkForecast]

    def posterior(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        """Return the probability of each class for each row, as `NetworkForecast.posterior` does."""
        parts = zip(self.weights, self.members, strict=True)
        total = sum(float(weight) * member.posterior(codes) for weight, member in parts)
        return np.asarray(total)
