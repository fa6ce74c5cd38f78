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

TEXT = """# How often rank tests and posteriors err when learners are equal

Written by a script; the same command gives the same page:

    python docs/scripts/ranks_under_the_null.py --simulations {simulations} --seed {seed} --to {to}

{simulations} simulations each. In brackets the 95% interval of the rate: exact binomial for yes or no, from
the standard error for shares of pairs. Bold: the whole interval lies above 0.05, or above 0.10 for "better or
worse", two outcomes of 0.05 each; below 0.95 for intervals.

## Ranks over data sets

Scores of learners on data sets are drawn with all true means equal, and `friedman` is asked. Every rejection
is a false alarm.

{rank_worlds}

{rank_rates}

"Any pair" is the chance of at least one false alarm among all pairs, "any against a control" among the
comparisons of the first learner with each other one. "Each pair" has no correction.

## Posteriors on one data set

The data sets and learners of [tests_under_the_null.md](tests_under_the_null.md): data sets are drawn and
really split, 25 times into two thirds and one third, {n_learners} learners of equal merit are taught and
scored on every part, and `bayesian_correlated_t` is asked about each of the {n_pairs} pairs. A decision is an
outcome with probability 0.95 or more. "At the edge": the scores of the first of each pair are raised by
exactly the half width of the region, so that its true lead is the largest that does not matter.

{table_rates}

Columns (e) and (f) are mean log scores in bits, with regions up to {bits} bits; (g) and (h) are accuracies,
with regions up to {accuracy}.

## Posteriors over data sets

Differences of two learners on data sets are drawn from a symmetric distribution with standard deviation 1
(t with 3 degrees of freedom, scaled to that, where tails are heavy), and `bayesian_signed_rank` is asked,
with {n_draws} draws from its posterior. At the edge their center is the half width of the region.

{signed_rates}

## Intervals of correlations over splits

{n_correlated} data sets of kind (e) are drawn, and the log score and the accuracy of one learner are
correlated over {n_truth} random splits of each, which is taken for the truth about that data set. Then
`metric_correlations` is asked about 25 splits at a time. Coverage is the share of its 95% intervals that hold
that truth.

{correlation_rates}

## What this shows

What follows was written by hand from the run of 2000 simulations with seed 1.

* **Where every order of the learners is as likely, the rank tests keep their level.** Friedman's chi-squared
  is cautious with few data sets (0.035 with six), Iman and Davenport's F is nearer, at 0.050 to 0.058.
  Nemenyi's test is at its level, Holm's on ranks a bit below.
* **Equal means are not enough for that.** With one learner three times as noisy as the others, Friedman's
  test, F and Nemenyi's find a difference in 6% to 7%, and more data sets do not help. Holm's is so cautious
  that it stays at 0.05 even there.
* **Ties make the comparisons of pairs cautious** (Nemenyi 0.015, Holm 0.011), since their standard deviation
  is that of ranks without ties; chi-squared and F, which are corrected for ties, stay near their level.
* **The posterior on one data set errs like the corrected t test.** With no region each wrong outcome is
  decided in 5%, so one of the two in 10%: a probability of 0.95 is a one-sided test at 5%. A learner at
  the edge is called better in 5%, and practically equal in 5% or less; that the rates of "better" there are
  those without a region is no accident, as the posterior moves with the scores. Inside the region false
  decisions are rarer, by how much depends on its width: with 0.1 bits and 500 rows hardly any.
* **A narrow region can never be confirmed by a small data set**: with 0.01 bits equal learners are called
  practically equal in no simulation, with 0.1 bits on 500 rows in 93%. By accuracy it is easier, as learners
  that disagree on a few rows differ by little whatever their merit, and false decisions are rare.
* **The posterior over data sets asks another question**: not whether the center of the differences lies
  beyond the region, but which of the three outcomes is the most probable on such data sets. With no region a
  wrong outcome is decided in 5% to 6%. At the edge of a region that is narrow compared with the spread
  between data sets, better is simply more probable than worse, and is decided in 16% of 14 and 41% of 40
  data sets; at that of a wide one better and equal are as probable as each other, and each is decided in 4%
  to 8%.
* **Fisher's intervals hold for 25 splits**, Pearson's and Spearman's 95% and 96% of the time; Kendall's,
  whose variance knows no ties, 93%.

What was not tried: differences between data sets that are skewed; regions chosen after the scores were seen,
which no rate here holds for.
"""


@dataclass(frozen=True)
class RankWorld:
    """One way in which all learners can be equal over data sets."""

    key: str
    name: str
    text: str
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
    RankWorld("i", "4 learners, 14 data sets", "independent normal scores", 14, 4, exchangeable),
    RankWorld("j", "4 learners, 6 data sets", "the same, fewer data sets", 6, 4, exchangeable),
    RankWorld("k", "10 learners, 14 data sets", "the same, more learners", 14, 10, exchangeable),
    RankWorld(
        "l",
        "unequal spread, 14 data sets",
        "one learner three times as noisy as the others, which go together (correlations 0.6 to 0.8); equal "
        "in mean and median, but not every order is as likely",
        14,
        4,
        unequal,
    ),
    RankWorld("m", "as (l), 40 data sets", "the same, more data sets", 40, 4, unequal),
    RankWorld("n", "ties, 14 data sets", "as (i), rounded to whole numbers", 14, 4, tied),
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
        rank_worlds="\n".join(f"* ({world.key}) {world.name}: {world.text}." for world in RANK_WORLDS),
        rank_rates=_table({names[key]: found for key, found in rank_rates.items()}),
        n_learners=tables.LEARNERS,
        n_pairs=tables.PAIRS.shape[1],
        table_rates=_table({names[key]: found for key, found in table_rates.items()}),
        bits=" and ".join(str(rope) for rope in ROPES["bits"][1:]),
        accuracy=" and ".join(str(rope) for rope in ROPES["accuracy"][1:]),
        signed_rates=_table(signed_rates),
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
