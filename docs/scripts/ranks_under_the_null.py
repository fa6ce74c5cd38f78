"""Measure how often rank tests and posteriors err when learners are equal, and write the page about it.

Run from the root of the repository: python docs/scripts/ranks_under_the_null.py
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tables_under_the_null as tables
from null_worlds import Rate, options, rates, uneven
from numpy.typing import NDArray

from workbench.comparisons import (
    MetricCorrelation,
    RopePosterior,
    bayesian_correlated_t,
    bayesian_signed_rank,
    friedman,
    metric_correlations,
)
from workbench.report.notes import table

ALPHA = 0.05
N_DRAWS = 4000  # from the posterior of a signed-rank comparison: a standard error of 0.003 at 0.95
N_CORRELATED, N_SPLITS = 200, 2000  # data sets whose metrics are correlated, and splits of each
#: Regions of practical equivalence, in the unit of the score: none, narrow, wide.
ROPES = {"bits": (0.0, 0.01, 0.1), "accuracy": (0.0, 0.01, 0.03)}

TEXT = """# Ranks, posteriors and correlations under the null hypothesis

A script writes this page. The same command reproduces it:

    python docs/scripts/ranks_under_the_null.py --simulations {simulations} --seed {seed} --to {to}

**Question.** How often do rank tests and posteriors err if all learners are equally good? Do intervals of
correlations between metrics cover the true correlation?

**Design.** Rates are shares of {simulations} simulations with 95% intervals in brackets. Intervals are exact
binomial, or from the standard error for shares of pairs. Bold: the whole interval is above 0.05, or below
0.95 for coverage. For "better or worse", two outcomes of 0.05 each, it is above 0.10.

**Answer.** Rank tests keep their level if every order of the learners is equally likely. A noisier learner
raises the rate to 0.07. The posterior on one data set errs like a one-sided test at 5%. The posterior over
data sets errs in 5% to 6% without a region of practical equivalence. At the edge of a narrow region it
decides for "better" in 16% to 41%. Intervals of correlations cover in 93% to 96%.

## Ranks over data sets

Scores are drawn with equal true means. Every rejection by `friedman` is a type I error.

Scores in (i), (j) and (k) are independent and normal. In (l) and (m) one learner is three times as noisy as
the others, which correlate by 0.6 to 0.8. Means and medians are equal, but not all orders are equally likely.
In (n) the scores of (i) are rounded to whole numbers, so that learners tie.

{rank_rates}

"Any pair" is the rate of at least one error among all pairs. "Any against a control" concerns the comparisons
of the first learner with the others. "Each pair" has no correction.

* **Rank tests keep their level if every order of the learners is equally likely.** With few data sets
  Friedman's chi-squared is conservative.
* **Equal means do not suffice.** With one noisier learner Friedman's test, F and Nemenyi's test err in 6% to
  7%. More data sets do not help. Holm's procedure stays at 0.05.
* **Ties make comparisons of pairs conservative.** Their standard deviation assumes no ties. Chi-squared and F
  are corrected for ties.

## Posteriors on one data set

Data sets and learners are those of [repeated splits](tests_under_the_null.md#repeated-splits-of-data-sets).
Each data set is split 25 times into two thirds and one third. `bayesian_correlated_t` compares the {n_pairs}
pairs of {n_learners} equally good learners. It decides for an outcome with probability 0.95 or more. *At the
edge*, the first learner's scores are raised by the half width of the region, the largest lead inside it.
Regions are up to {bits} bits for mean log scores (e, f), and up to {accuracy} for accuracies (g, h).

{table_rates}

* **The posterior on one data set errs like the corrected t test.** Without a region each wrong outcome is
  decided in 5%, so one of the two in 10%. At the edge, "better" and "practically equal" are each decided in
  at most 5%. Inside the region errors are rarer.
* **A small data set cannot confirm a narrow region for log scores.** With 0.01 bits equal learners are never
  called practically equal, with 0.1 bits on 500 rows in 93%.

## Posteriors over data sets

Differences of two learners are drawn from a symmetric distribution with standard deviation 1. Heavy tails are
those of t with 3 degrees of freedom. `bayesian_signed_rank` has {n_draws} draws from its posterior. Regions
have half widths {signed}. At the edge the center of the differences is the half width.

{signed_rates}

* **The posterior over data sets estimates which outcome is most probable on such data sets.** It does not
  test whether the center of the differences is outside the region.
* **At the edge of a narrow region, "better" is more probable than "worse".** It is decided in 16% with 14
  data sets and 41% with 40 (normal differences). At the edge of a wide region "better" and "equal" are
  equally probable, and each is decided in 4% to 8%.

## Intervals of correlations over splits

The log score and the accuracy of one learner are correlated over {n_truth} random splits of each of
{n_correlated} data sets of kind (e). This is taken as the true correlation for the data set.
`metric_correlations` then uses 25 splits at a time. Coverage is the share of its 95% intervals that contain
the true correlation.

{correlation_rates}

* **Fisher's intervals are valid for 25 splits.** Kendall's cover slightly less, because their variance
  ignores ties.

Not simulated: skewed differences between data sets, and regions chosen after the scores were seen.
"""


@dataclass(frozen=True)
class RankWorld:
    """One way in which all learners can be equal over data sets."""

    key: str
    name: str
    n_datasets: int
    n_learners: int
    draw: Callable[[np.random.Generator, int, int], NDArray[np.float64]]


def exchangeable(rng: np.random.Generator, n: int, k: int) -> NDArray[np.float64]:
    """Draw scores (n, k): independent normal noise."""
    return rng.standard_normal((n, k))


def unequal(rng: np.random.Generator, n: int, k: int) -> NDArray[np.float64]:
    """Draw scores (n, 4): one learner three times as noisy as the others, which go together."""
    return uneven(rng, n)[:, :k, 0]


def tied(rng: np.random.Generator, n: int, k: int) -> NDArray[np.float64]:
    """Draw scores (n, k) on a lattice, on which two learners tie in about a quarter of data sets."""
    return np.round(rng.standard_normal((n, k)))


RANK_WORLDS = (
    RankWorld("i", "4 learners, 14 data sets", 14, 4, exchangeable),
    RankWorld("j", "4 learners, 6 data sets", 6, 4, exchangeable),
    RankWorld("k", "10 learners, 14 data sets", 14, 10, exchangeable),
    RankWorld("l", "unequal spread, 14 data sets", 14, 4, unequal),
    RankWorld("m", "as (l), 40 data sets", 40, 4, unequal),
    RankWorld("n", "ties, 14 data sets", 14, 4, tied),
)

#: Numbers of data sets and the tails of the differences.
SIGNED_WORLDS = {
    "14 data sets, normal": (14, False),
    "40 data sets, normal": (40, False),
    "40 data sets, heavy tails": (40, True),
}
SIGNED_ROPES = (0.0, 0.25, 1.0)


def rank_alarms(world: RankWorld, simulations: int, seed: int) -> dict[str, NDArray[np.float64]]:
    """Return for each test one number a simulation: did it reject, or what share of its family did."""
    rng = np.random.default_rng([seed, ord(world.key)])
    names = [f"learner {i}" for i in range(world.n_learners)]
    rows = []
    for _ in range(simulations):
        test = friedman(world.draw(rng, world.n_datasets, world.n_learners), learners=names)
        control = test.against(names[0])
        rows.append(
            {
                "Friedman's chi-squared": test.p <= ALPHA,
                "Iman and Davenport's F": test.p_F <= ALPHA,
                "Nemenyi, any pair": any(pair.p_nemenyi <= ALPHA for pair in test.pairs),
                "Holm on ranks, any pair": any(pair.p_holm <= ALPHA for pair in test.pairs),
                "Holm on ranks, any against a control": any(pair.p_holm <= ALPHA for pair in control),
                "z of ranks, each pair": np.mean([pair.p <= ALPHA for pair in test.pairs]),
            }
        )
    return {test: np.array([row[test] for row in rows], dtype=np.float64) for test in rows[0]}


def table_decisions(table: tables.Table, simulations: int, seed: int) -> dict[str, NDArray[np.float64]]:
    """Return for each decision of `bayesian_correlated_t` the share of pairs, one number a simulation."""
    rng = np.random.default_rng([seed, ord(table.key), 2])
    share = (1 - tables.TRAIN) / tables.TRAIN
    rows = []
    for start in range(0, simulations, tables.AT_ONCE):
        for pairs in _differences(table, rng, min(tables.AT_ONCE, simulations - start)):
            rows.append(
                _settings(
                    ROPES[table.score],
                    lambda rope, lead, pairs=pairs: [
                        bayesian_correlated_t(d + lead, rope=rope, test_share=share) for d in pairs
                    ],
                )
            )
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def signed_decisions(
    n_datasets: int, heavy: bool, simulations: int, seed: int
) -> dict[str, NDArray[np.float64]]:
    """Return for each decision of `bayesian_signed_rank` whether it was taken, one number a simulation."""
    rng = np.random.default_rng([seed, n_datasets, int(heavy)])
    rows = []
    for _ in range(simulations):
        d = rng.standard_t(3, n_datasets) / np.sqrt(3) if heavy else rng.standard_normal(n_datasets)
        rows.append(
            _settings(
                SIGNED_ROPES,
                lambda rope, lead, d=d: [
                    bayesian_signed_rank(d + lead, rope=rope, n_samples=N_DRAWS, random_state=rng)
                ],
            )
        )
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def correlation_coverage(seed: int) -> dict[str, NDArray[np.float64]]:
    """Return for each coefficient the share of intervals that hold the correlation, by data set."""
    table, rng = tables.TABLES[0], np.random.default_rng([seed, ord("e"), 3])
    y, columns = tables.draw(table, rng, N_CORRELATED)
    trains = (tables.random_splits(rng, N_CORRELATED, table.n_rows) for _ in range(N_SPLITS // tables.SPLITS))
    scores = np.array(
        [
            [tables.scores_of(y, columns, train, score)[:, 0] for score in ("bits", "accuracy")]
            for some in trains
            for train in some
        ]
    )
    return {
        f"coverage, {method}": np.array([_covered(own, method) for own in scores.transpose(2, 0, 1)])
        for method in ("pearson", "spearman", "kendall")
    }


def page(
    rank_rates: dict[str, dict[str, Rate]],
    table_rates: dict[str, dict[str, Rate]],
    signed_rates: dict[str, dict[str, Rate]],
    correlation_rates: dict[str, Rate],
    simulations: int,
    seed: int,
    to: Path,
) -> str:
    """Return the page: what was drawn, tables of rates, and what they show."""
    names = {world.key: f"({world.key}) {world.name}" for world in RANK_WORLDS}
    names |= {table.key: f"({table.key}) {table.name}" for table in tables.TABLES}
    return TEXT.format(
        simulations=simulations,
        seed=seed,
        to=to.as_posix(),
        rank_rates=_table({names[key]: found for key, found in rank_rates.items()}),
        n_learners=tables.LEARNERS,
        n_pairs=tables.PAIRS.shape[1],
        table_rates=_table({names[key]: found for key, found in table_rates.items()}),
        bits=" and ".join(str(rope) for rope in ROPES["bits"][1:]),
        accuracy=" and ".join(str(rope) for rope in ROPES["accuracy"][1:]),
        signed_rates=_table(signed_rates),
        signed=" and ".join(str(rope) for rope in SIGNED_ROPES[1:]),
        n_draws=N_DRAWS,
        n_correlated=N_CORRELATED,
        n_truth=N_SPLITS,
        correlation_rates=_table({"accuracy and log score": correlation_rates}),
    )


def main() -> None:
    """Simulate all worlds and write the page."""
    chosen = options(__doc__, 2000, "ranks_under_the_null.md").parse_args()
    n, seed = chosen.simulations, chosen.seed
    rank_rates = {world.key: rates(rank_alarms(world, n, seed)) for world in RANK_WORLDS}
    table_rates = {table.key: rates(table_decisions(table, n, seed)) for table in tables.TABLES}
    signed_rates = {name: rates(signed_decisions(*world, n, seed)) for name, world in SIGNED_WORLDS.items()}
    text = page(rank_rates, table_rates, signed_rates, rates(correlation_coverage(seed)), n, seed, chosen.to)
    chosen.to.write_text(text, encoding="utf-8")


def _differences(table: tables.Table, rng: np.random.Generator, n_tables: int) -> NDArray[np.float64]:
    """Draw data sets, split them, and return the learners' differences (n_tables, pairs, splits)."""
    y, columns = tables.draw(table, rng, n_tables)
    trains = tables.random_splits(rng, n_tables, table.n_rows)
    scores = np.stack([tables.scores_of(y, columns, train, table.score) for train in trains], axis=-1)
    return scores[:, tables.PAIRS[0]] - scores[:, tables.PAIRS[1]]


def _covered(scores: NDArray[np.float64], method: str) -> float:
    """Return the share of intervals of 25 splits that hold the correlation over all (n_splits, 2)."""

    def correlation(some: NDArray[np.float64]) -> MetricCorrelation:
        return metric_correlations(some, metrics=["log score", "accuracy"], method=method).pairs[0]

    truth = correlation(scores).r
    parts = [correlation(part) for part in scores.reshape(-1, tables.SPLITS, 2)]
    return float(np.mean([part.low <= truth <= part.high for part in parts]))


def _settings(
    ropes: Sequence[float], ask: Callable[[float, float], Sequence[RopePosterior]]
) -> dict[str, float]:
    """Ask about equal learners with each region, and about learners at the edge of it."""
    found = {}
    for rope, width in zip(ropes, ("no region", "narrow region", "wide region"), strict=True):
        decisions = [one.decision for one in ask(rope, 0.0)]
        found[f"{width}, equal: better"] = _share(decisions, "better")
        found[f"{width}, equal: better or worse"] = _share(decisions, "better", "worse")
        if rope > 0:
            found[f"{width}, equal: practically equal (right)"] = _share(decisions, "equal")
            at_edge = [one.decision for one in ask(rope, rope)]
            found[f"{width}, at the edge: better"] = _share(at_edge, "better")
            found[f"{width}, at the edge: practically equal"] = _share(at_edge, "equal")
    return found


def _share(decisions: Sequence[str | None], *outcomes: str) -> float:
    return float(np.mean([decision in outcomes for decision in decisions]))


def _table(found: dict[str, dict[str, Rate]]) -> str:
    names = next(iter(found.values()))
    return table(["", *found], [[one, *(_cell(one, own[one]) for own in found.values())] for one in names])


def _cell(name: str, found: Rate) -> str:
    """Return the rate, bold where its interval lies on the wrong side of what was promised."""
    if name.startswith("coverage"):
        return f"**{found}**" if found.high < 1 - ALPHA else str(found)
    promised = 1.0 if "(right)" in name else 2 * ALPHA if "better or worse" in name else ALPHA
    return f"**{found}**" if found.low > promised else str(found)


if __name__ == "__main__":
    main()
