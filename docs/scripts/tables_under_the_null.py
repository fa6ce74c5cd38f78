"""Split made-up data sets as the designs do, and count false alarms about equal learners and leads found.

`tests_under_the_null.py` writes what is found into its page.
"""

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtrc, stdtr

from workbench.comparisons import holm

__all__ = [
    "LEADS",
    "TABLES",
    "Table",
    "corrected_p",
    "draw",
    "errors_and_disagreements",
    "false_alarms",
    "finds",
    "five_by_two_p",
    "halvings",
    "log_odds",
    "random_splits",
    "scores_of",
]

ALPHA = 0.05
LEARNERS = 6
PAIRS = np.array(list(combinations(range(LEARNERS), 2))).T
SPLITS, TRAIN = 25, 2 / 3  # the defaults of `workbench.designs.RandomSplits`
AT_ONCE = 50  # data sets
ROUNDING = 1e-12
UNCORRECTED = "resampled t, not corrected"


@dataclass(frozen=True)
class Table:
    """A kind of data set: its number of rows, what is scored, and how far apart the two classes are."""

    key: str
    name: str
    n_rows: int
    score: str
    shared: float  # standard deviations between the classes in one column that all learners see
    own: float  # and in a column that each learner has for itself
    lead: float = 0.0  # and more in that of the first learner


TABLES = (
    Table("e", "100 rows, mean log score", 100, "bits", 1.5, 0.8),
    Table("f", "500 rows, mean log score", 500, "bits", 1.5, 0.8),
    Table("g", "56 rows, accuracy, few disagreements", 56, "accuracy", 3.6, 0.3),
    Table("h", "150 rows, accuracy, few disagreements", 150, "accuracy", 3.6, 0.3),
)
#: By what is scored: how much further apart the classes are in the first learner's column.
LEADS = {"bits": (0.25, 0.5, 1.0), "accuracy": (1.0, 2.0, 3.0)}


def draw(table: Table, rng: np.random.Generator, n_tables: int) -> tuple[NDArray, NDArray]:
    """Draw classes (n_tables, n_rows) and columns (n_tables, n_rows, 1 + LEARNERS), the shared one first."""
    y = rng.integers(0, 2, (n_tables, table.n_rows))
    columns = rng.standard_normal((n_tables, table.n_rows, 1 + LEARNERS))
    columns += (y - 0.5)[..., None] * _separations(table)
    return y.astype(float), columns


def _separations(table: Table) -> NDArray[np.float64]:
    return np.array([table.shared, table.own + table.lead] + [table.own] * (LEARNERS - 1))


def halvings(rng: np.random.Generator, n_tables: int, n_rows: int) -> NDArray[np.bool_]:
    """Draw who is learned from: (10, n_tables, n_rows), five random halvings, each half once."""
    orders = rng.random((5, n_tables, n_rows)).argsort(axis=-1)
    first = orders < n_rows // 2
    return np.stack([first, ~first], axis=1).reshape(10, n_tables, n_rows)


def random_splits(rng: np.random.Generator, n_tables: int, n_rows: int) -> NDArray[np.bool_]:
    """Draw who is learned from: (SPLITS, n_tables, n_rows), two thirds of the rows each time."""
    orders = rng.random((SPLITS, n_tables, n_rows)).argsort(axis=-1)
    return orders < round(TRAIN * n_rows)


def scores_of(y: NDArray, columns: NDArray, train: NDArray[np.bool_], score: str) -> NDArray[np.float64]:
    """Learn from the rows of `train`, score on the others: (n_tables, LEARNERS)."""
    signed = log_odds(y, columns, train)
    test = ~train
    value = -np.log1p(np.exp(-signed)) / np.log(2) if score == "bits" else signed > 0
    total = np.einsum("tr,trl->tl", test.astype(float), value.astype(float))
    return total / test.sum(axis=1)[:, None]


def log_odds(y: NDArray, columns: NDArray, train: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the log odds of the true class (n_tables, n_rows, LEARNERS) by Bayes' rule, columns normal."""
    ones, zeros = train * y, train * (1 - y)
    n_ones, n_zeros = ones.sum(axis=1), zeros.sum(axis=1)
    mean_one = np.einsum("tr,trc->tc", ones, columns) / n_ones[:, None]
    mean_zero = np.einsum("tr,trc->tc", zeros, columns) / n_zeros[:, None]
    slope, middle = mean_one - mean_zero, (mean_one + mean_zero) / 2
    odds = slope[:, None, :] * (columns - middle[:, None, :])
    odds = odds[:, :, 1:] + odds[:, :, :1] + np.log(n_ones / n_zeros)[:, None, None]
    return odds * (2 * y - 1)[..., None]


def errors_and_disagreements(table: Table, seed: int, n_tables: int = 200) -> tuple[float, float]:
    """Measure the error of the learners after half a data set, and on how much of the rest two disagree."""
    rng = np.random.default_rng([seed, ord(table.key), 1])
    y, columns = draw(table, rng, n_tables)
    train = halvings(rng, n_tables, table.n_rows)[0]
    right = (log_odds(y, columns, train) > 0)[~train]
    return float(1 - right.mean()), float((right[:, PAIRS[0]] != right[:, PAIRS[1]]).mean())


def five_by_two_p(d: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the p values of `five_by_two_t` for many differences (..., 5, 2) at once; 1 without a test."""
    spread = ((d - d.mean(axis=-1, keepdims=True)) ** 2).sum(axis=(-1, -2))
    tested = spread > ROUNDING**2
    total = np.where(tested, spread, 1.0)
    t = d[..., 0, 0] / np.sqrt(total / 5)
    F = (d**2).sum(axis=(-1, -2)) / (2 * total)
    return np.where(tested, 2 * stdtr(5, -np.abs(t)), 1.0), np.where(tested, fdtrc(10, 5, F), 1.0)


def corrected_p(d: NDArray[np.float64], test_share: float) -> NDArray[np.float64]:
    """Return the p values of `corrected_t` for many differences (..., n) at once; 1 without a test."""
    n = d.shape[-1]
    spread = d.std(axis=-1, ddof=1)
    tested = spread > ROUNDING
    t = d.mean(axis=-1) / (np.where(tested, spread, 1.0) * np.sqrt(1 / n + test_share))
    return np.where(tested, 2 * stdtr(n - 1, -np.abs(t)), 1.0)


def false_alarms(table: Table, simulations: int, seed: int) -> dict[str, NDArray[np.float64]]:
    """Return for each test one number a simulation, and at the end how often halves tie."""
    rng = np.random.default_rng([seed, ord(table.key)])
    parts = [_of_some(table, rng, min(AT_ONCE, simulations - i)) for i in range(0, simulations, AT_ONCE)]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def finds(table: Table, lead: float, simulations: int, seed: int) -> dict[str, NDArray[np.float64]]:
    """Return for each test the share of the five pairs in which it finds the first better; and its lead."""
    rng = np.random.default_rng([seed, ord(table.key), 4])
    ahead = replace(table, lead=lead)
    parts = [_found(ahead, rng, min(AT_ONCE, simulations - i)) for i in range(0, simulations, AT_ONCE)]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _found(table: Table, rng: np.random.Generator, n_tables: int) -> dict[str, NDArray[np.float64]]:
    halves, splits, ways = _tested(table, rng, n_tables)
    own = PAIRS[0] == 0  # the first learner less another
    means = {
        "5": halves.mean(axis=-1)[:, own],
        "c": splits.mean(axis=-1)[:, own],
    }  # by the first letter of a test
    found = {"lead": means["5"].mean(axis=1)}
    for name, p in ways.items():
        if name == UNCORRECTED:  # whose false alarms make its finds worthless
            continue
        ahead = means[name[0]] > 0
        adjusted = np.array([holm(one) for one in p])
        found[f"{name}, unadjusted"] = ((p[:, own] <= ALPHA) & ahead).mean(axis=1)
        found[f"{name}, Holm over 15"] = ((adjusted[:, own] <= ALPHA) & ahead).mean(axis=1)
    return found


def _of_some(table: Table, rng: np.random.Generator, n_tables: int) -> dict[str, NDArray[np.float64]]:
    halves, _, ways = _tested(table, rng, n_tables)
    F = ways["5x2cv F (Alpaydin)"]
    found: dict[str, NDArray[np.float64]] = {}
    for name, p in ways.items():
        found[f"{name}, each of 15"] = (p <= ALPHA).mean(axis=1)
        # The least p value passes Holm's procedure where it passes Bonferroni's.
        found[f"{name}, any of 15, Holm"] = (p.min(axis=1) * p.shape[1] <= ALPHA).astype(float)
    return found | _ties(halves.reshape(*halves.shape[:2], 5, 2), F)


def _tested(
    table: Table, rng: np.random.Generator, n_tables: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], dict[str, NDArray[np.float64]]]:
    """Return differences over halves and over splits (n_tables, pairs, parts), and p values by test."""
    y, columns = draw(table, rng, n_tables)
    halves = _differences(y, columns, halvings(rng, n_tables, table.n_rows), table.score)
    splits = _differences(y, columns, random_splits(rng, n_tables, table.n_rows), table.score)
    n_train = round(TRAIN * table.n_rows)
    share = (table.n_rows - n_train) / n_train
    t, F = five_by_two_p(halves.reshape(*halves.shape[:2], 5, 2))
    ways = {
        "5x2cv t (Dietterich)": t,
        "5x2cv F (Alpaydin)": F,
        "corrected resampled t (Nadeau and Bengio)": corrected_p(splits, share),
        UNCORRECTED: corrected_p(splits, 0.0),
    }
    return halves, splits, ways


def _ties(d: NDArray[np.float64], F: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """Count pairs whose halves differ by the same, in all replications or all but one."""
    n_uneven = (np.abs(np.diff(d, axis=-1))[..., 0] > ROUNDING).sum(axis=-1)
    differ = np.abs(d).max(axis=(-1, -2)) > ROUNDING
    return {
        "pairs: all ten differences zero": (~differ).mean(axis=1),
        "pairs: a difference and no spread, so no 5x2cv test": (differ & (n_uneven == 0)).mean(axis=1),
        "data sets with such a pair among the 15": (differ & (n_uneven == 0)).any(axis=1).astype(float),
        "pairs: spread in only one replication": (n_uneven == 1).mean(axis=1),
        "F rejects, of such pairs": _share((F <= ALPHA) & (n_uneven == 1), n_uneven == 1),
    }


def _share(part: NDArray[np.bool_], whole: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the share of each simulation, NaN where it has no such pairs."""
    n = whole.sum(axis=1)
    return np.where(n > 0, part.sum(axis=1) / np.maximum(n, 1), np.nan)


def _differences(y: NDArray, columns: NDArray, trains: NDArray, score: str) -> NDArray[np.float64]:
    """Return (n_tables, pairs, parts)."""
    scores = np.stack([scores_of(y, columns, train, score) for train in trains], axis=-1)
    return scores[:, PAIRS[0]] - scores[:, PAIRS[1]]
