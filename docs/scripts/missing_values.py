"""Measure what missing values do to learned arcs, and print the numbers of docs/reference/missing_values.md.

Run from the root of the repository: python docs/scripts/missing_values.py
"""

import warnings
from collections.abc import Iterator

import numpy as np
import pandas as pd

from generators import Network
from learners import MissingValuesWarning, learn_network
from workbench.report.notes import table

N_ROWS, N_TABLES = 2000, 10
SHARES = (0.0, 0.02, 0.05, 0.1, 0.2)
#: P(effect) where neither, one and both of two causes are present.
WORLDS = {"strong": (0.05, 0.95, 0.95), "medium": (0.2, 0.6, 0.9), "weak": (0.3, 0.5, 0.7)}


def main() -> None:
    """Print both tables."""
    warnings.simplefilter("ignore", MissingValuesWarning)
    print(causes())
    print()
    print("\n".join(turned_lines()))


def two_causes(effect: tuple[float, float, float]) -> Network:
    """Return a world of two independent causes u and v, their effect w, and four columns of noise."""
    names, fair = ("u", "v", "w", "n0", "n1", "n2", "n3"), [0.5, 0.5]
    none, one, both = ([1 - p, p] for p in effect)
    cpts = (fair, fair, [[none, one], [one, both]], *[fair] * 4)
    return Network(names, (("no", "yes"),) * 7, ((), (), (0, 1), *[()] * 4), cpts)


def smoker() -> Network:
    """Return the world of smoker -> illness and both -> cough, whose directions no rows tell."""
    cough = [[[0.9, 0.1], [0.3, 0.7]], [[0.7, 0.3], [0.1, 0.9]]]
    cpts = ([0.7, 0.3], [[0.9, 0.1], [0.6, 0.4]], cough)
    return Network(("smoker", "illness", "cough"), (("no", "yes"),) * 3, ((), (0,), (0, 1)), cpts)


def with_holes(truth: Network, seed: int, share: float) -> pd.DataFrame:
    """Return rows of a world of which a share of the values is missing, completely at random."""
    rows = truth.sample_table(N_ROWS, seed)
    return rows.mask(np.random.default_rng(seed).random(rows.shape) < share)


def causes() -> str:
    """Return in how many tables of a world the causes are joined, and the pattern is right."""
    rows = [
        [f"{share:.0%}" if share else "none", *(counts(effect, share) for effect in WORLDS.values())]
        for share in SHARES
    ]
    found = [counts(effect, SHARES[-1], complete=True) for effect in WORLDS.values()]
    rows.append([f"{SHARES[-1]:.0%}, complete rows only", *found])
    heads = (f"{name}: {', '.join(map(str, effect))}" for name, effect in WORLDS.items())
    return table(["values missing", *heads], rows)


def counts(effect: tuple[float, float, float], share: float, *, complete: bool = False) -> str:
    """Return how many of the tables have the causes joined, with a posterior above 1/2; and are right."""
    truth, n_joined, n_right = two_causes(effect), 0, 0
    for seed in range(N_TABLES):
        rows = with_holes(truth, seed, share)
        learned = learn_network(rows.dropna() if complete else rows)
        posteriors = learned.arc_posteriors
        n_joined += bool(posteriors.loc["u", "v"] + posteriors.loc["v", "u"] > 0.5)
        n_right += learned.structural_distance(truth).shd == 0
    return f"{n_joined}, {n_right}"


def turned_lines() -> Iterator[str]:
    """Yield the posterior of illness -> smoker in each table, of complete rows and with 5% missing."""
    for share in (0.0, 0.05):
        found = [
            learn_network(with_holes(smoker(), seed, share)).arc_posteriors.loc["illness", "smoker"]
            for seed in range(N_TABLES)
        ]
        yield f"illness -> smoker, {share:.0%} missing: {', '.join(f'{one:.2f}' for one in found)}"


if __name__ == "__main__":
    main()
