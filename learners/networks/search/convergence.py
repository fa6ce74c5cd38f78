"""Agreement of chains from different starts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from learners.networks.search.tom_sampling import ChainSample, pooled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Convergence"]

LEAST_SHARE = 0.01
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")  # safe for color-blind readers
STYLES = ("-", "--", ":", "-.")


@dataclass(frozen=True, eq=False)
class Convergence:
    """Running estimates of each chain, for a figure, and their final differences."""

    n_samples: NDArray[np.int64]  # of one chain up to each checkpoint
    # (n_chains, n_checkpoints), posterior mean in nats, from each chain's samples so far
    mean_lengths: NDArray[np.float64]
    # (n_chains, n_checkpoints), largest difference of an arc's posterior from that of all chains so far
    arc_differences: NDArray[np.float64]
    arc_posteriors: NDArray[np.float64]  # (n_chains, n_nodes, n_nodes), each chain's own at the end
    # of the total weight; above temperature 1 next to nothing for a chain that stayed at long messages
    shares: NDArray[np.float64]

    def __repr__(self) -> str:
        return f"Convergence({len(self.shares)} chains, largest difference {self.largest_difference:.2f})"

    @classmethod
    def of(cls, checkpoints: Sequence[Sequence[ChainSample]]) -> "Convergence":
        """Compare the chains at each checkpoint."""
        together = [pooled(chains) for chains in checkpoints]
        reference, total = together[-1].reference, together[-1].weight
        differences = [
            [float(np.abs(_posteriors(chain) - _posteriors(all_chains)).max()) for chain in chains]
            for chains, all_chains in zip(checkpoints, together, strict=True)
        ]
        return cls(
            np.array([max(chain.n_samples for chain in chains) for chains in checkpoints]),
            np.array([[chain.mean_length for chain in chains] for chains in checkpoints]).T,
            np.array(differences).T,
            np.array([_posteriors(chain) for chain in checkpoints[-1]]),
            np.array([chain.at(reference).weight / total for chain in checkpoints[-1]]),
        )

    @property
    def largest_difference(self) -> float:
        """Largest difference between two chains in the posterior of an arc: 0 to 1, small if they agree."""
        return float(self.differences.max())

    @property
    def has_weight(self) -> NDArray[np.bool_]:
        """Return which chains have 1% of the weight or more, of shape (n_chains,)."""
        return self.shares >= LEAST_SHARE

    @property
    def weighty_difference(self) -> float:
        """Largest difference between two of the chains that have weight, or 0 if only one has."""
        return float(np.ptp(self.arc_posteriors[self.has_weight], axis=0).max())

    @property
    def differences(self) -> NDArray[np.float64]:
        """Largest difference between two chains in each arc's posterior, of shape (n_nodes, n_nodes)."""
        return np.asarray(np.ptp(self.arc_posteriors, axis=0))

    def plot(self, axes: "Sequence[Axes] | None" = None) -> "Sequence[Axes]":
        """Draw the chains' running estimates. They should converge, and those on the right approach 0."""
        import matplotlib.pyplot as plt

        if axes is None:
            _, axes = plt.subplots(1, 2, figsize=(8.4, 3.2), layout="constrained")
        lengths = (self.mean_lengths - self.mean_lengths[:, -1].min()) / math.log(2)
        for values, ax, label in (
            (lengths, axes[0], "mean message, bits above the\nshortest chain's at the end"),
            (self.arc_differences, axes[1], "largest difference of an arc's\nposterior to all chains'"),
        ):
            for chain, (row, style) in enumerate(zip(values, cycle(STYLES), strict=False)):
                color = COLORS[chain % len(COLORS)]
                ax.plot(self.n_samples / 1000, row, style, color=color, label=f"chain {chain + 1}")
            ax.set(xlabel="thousand samples of each chain", ylabel=label)
            ax.grid(alpha=0.3)
        axes[1].set_ylim(0, None)
        if len(self.mean_lengths) <= len(COLORS):
            axes[0].legend(frameon=False, fontsize="small")
        return axes


def _posteriors(sample: ChainSample) -> NDArray[np.float64]:
    return sample.arcs / sample.weight
