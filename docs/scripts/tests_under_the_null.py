"""Measure how often the tests of `workbench.comparisons` raise a false alarm, and write the page about it.

Run from the root of the repository: python docs/scripts/tests_under_the_null.py
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tables_under_the_null as tables
from headline_rates import headlines
from numpy.typing import NDArray
from scipy.stats import binomtest

from workbench.comparisons import mean_intervals, paired_differences, rm_anova

LEARNERS = ("NB", "TAN", "AODE", "noisy")
SIZES = (50, 500, 5000)
ALPHA = 0.05
EFFECTS = ("learner", "size", "learner:size")
CORRECTIONS = {"p": "uncorrected", "p_gg": "Greenhouse-Geisser", "p_hf": "Huynh-Feldt"}

# World (b): how much scores vary apart from what a subject adds to all of them, and how they correlate.
SD_OF_SIZE = np.array([1.0, 0.5, 0.25])
SD_OF_LEARNER = np.array([1.0, 1.0, 0.8, 3.0])
CORRELATION_OF_LEARNERS = np.array(
    [[1.0, 0.6, 0.8, 0.2], [0.6, 1.0, 0.8, 0.2], [0.8, 0.8, 1.0, 0.2], [0.2, 0.2, 0.2, 1.0]]
)
CORRELATION_OF_SIZES = np.array([[1.0, 0.6, 0.36], [0.6, 1.0, 0.6], [0.36, 0.6, 1.0]])

TEXT = """# How often the tests err when all learners are equal

Written by a script; the same command gives the same page:

    python docs/scripts/tests_under_the_null.py --simulations {simulations} --seed {seed} --to {to}

This page is about tests on truths and on each data set. Friedman's test with Nemenyi's and Holm's, the
Bayesian posteriors and correlations of metrics are [below](#ranks-posteriors-and-correlations), in short.

# Truths as subjects

Scores of {learners} learners at {sizes} sizes are drawn {simulations} times in each world, with all true
means equal. So every rejection is a false alarm, and a test at 0.05 should raise one in 5% of simulations.

* (a) A subject's own level plus independent normal noise, the same in all cells: what the uncorrected
  analysis of variance assumes.
* (b) What comparisons of learners look like: the standard deviation falls with the size (1, 0.5, 0.25), one
  learner is three times as noisy, three learners go together (correlations 0.6 to 0.8), neighboring sizes
  too (0.6).
* (c) As (a), with the noise of each subject divided by one random factor, so that every difference of two
  cells is t with 3 degrees of freedom.
* (d) As (b), with 10 subjects in place of 40.

## Rates

In brackets the 95% interval of the rate: exact binomial, except for "each of 18", which is a mean share and
has an interval from its standard error between simulations. Bold: the whole interval lies on the wrong side
of what was promised (false alarms 0.05, coverage 0.95).

{table}

"Each" is the rate of a single comparison, "any" the chance of at least one false alarm among the 18 (6 pairs
of learners at 3 sizes). Coverage is the chance that all intervals of a family hold their true values. The
smallest of 18 p values passes Holm's procedure exactly where it passes Bonferroni's, so under the null
"any of 18, Holm" and the coverage of the differences add up to 1.

## What this shows

False-alarm rates whose whole interval lies on one side of 0.05:

{reading}

With twelve such rates in each world, one or two that lie just outside are to be expected by chance; those
that matter are far outside or come back in several worlds. What follows was written by hand from the run of
2000 simulations with seed 1.

* **Too liberal: the uncorrected analysis of variance, where variances differ.** In worlds (b) and (d) its
  effects with learners raise two to three times the false alarms promised, the interaction most, and more
  subjects do not help: compare 40 with 10.
* **Greenhouse and Geisser's correction is not seen to exceed its level in any world.** It is a bit cautious
  for the interaction where there was nothing to correct. Huynh and Feldt's is nearer to 0.05 there, and at 10
  subjects, world (d), a little liberal: a run of 20000 simulations with seed 2 gave 0.054 to 0.057.
* **Paired t tests one by one keep their level; eighteen of them together do not.** Without adjustment, 37% to
  51% of studies of equal learners would report some difference. With Holm's procedure the chance of any is at
  most 0.05, and less where the comparisons are strongly correlated.
* **The simultaneous (Bonferroni) intervals cover at least as often as they promise**, for means and for
  differences.
* **Heavy symmetric tails make all of these tests cautious, not liberal**; the cost is power.

What was not tried: skewed scores; and what the tests find when some learners do differ. Worlds (b) and (d)
have one set of variances and correlations, chosen as plausible and not fitted to a study.

# Data sets that are split again and again

Parts of a data set share rows, so here the subjects are not independent and other tests are used. In each of
{simulations} simulations a data set is drawn, split as `FiveByTwo` does (random halves, five times) and as
`RandomSplits` does (two thirds to learn from, 25 times), and {n_table_learners} learners are taught and
scored on every part. A learner takes normal columns by Bayes' rule: one column that all of them see, one of
its own. Their own columns are exchangeable, so all learners are equally good, but on the same rows, as real
ones are. The {n_pairs} pairs of a data set are tested together.

{kinds}

In brackets the 95% interval over data sets; bold where it lies above 0.05.

{table_rates}

How often differences fall on a pattern that leaves the 5x2cv tests little to stand on:

{table_ties}

What follows was written by hand from the run of 2000 simulations with seed 1.

* **The resampled t test without correction is no test**: on continuous scores it calls 58% of equal pairs
  different, and finds a difference in 96% of data sets even with Holm's procedure.
* **Nadeau and Bengio's correction brings that to about 0.05**, for one pair and with Holm over 15. It is an
  approximation, and no rate here is seen to be above.
* **Dietterich's t and Alpaydin's F hold about 0.05 for one pair of continuous scores or stay below.** With
  Holm over 15 pairs t is cautious and F near its level; on data sets of 100 rows F was a little above 0.05.
  Far in the tail, where Holm looks, the F distribution is only an approximation.
* **Accuracies on small data sets make all corrected tests very cautious**: with learners that disagree on one
  row in a hundred, F finds a difference in 1% of equal pairs or fewer, and with Holm hardly ever. What they
  cannot distinguish there may well differ.
* **A difference without any spread is not tested**: it occurs in less than 1% of equal pairs, but in 7% to
  9% of such data sets, and an F of infinity would be a sure win for each, whatever the correction.
* **A weakness remains next to it.** Where only one of the five replications has any spread, F rests on a
  single number. Of such pairs it calls 3% (56 rows) and 8% (150 rows) different: on the latter above its
  level, though the data set as a whole stays below. A win by accuracy on a small data set deserves a look at
  its ten differences.

What was not tried: learners that react to single rows as trees do; classes of very unequal size, which the
designs stratify; losses without bound, whose tails are heavier than those of these log scores.

# Ranks, posteriors and correlations

They have a page of their own, [ranks_under_the_null.md](ranks_under_the_null.md), by another script. Its
headline rates, each over all the worlds that it was measured in; promised are 0.05 for each false alarm or
false decision, and 0.95 for coverage:

{ranks}

Friedman's test and what follows it keep their level where every order of the learners is as likely; one
learner noisier than the others raises it to 0.07. The posterior on one data set errs like a one-sided test at
5%. That over data sets asks which outcome is the most probable, so that with a narrow region it decides
for "better" far more often: the page says when.
"""

#: The page of the other tests.
RANKS = Path(__file__).resolve().parents[1] / "reference" / "ranks_under_the_null.md"

Draw = Callable[[np.random.Generator, int], NDArray[np.float64]]


@dataclass(frozen=True)
class World:
    """One way in which all true means can be equal."""

    key: str
    name: str
    n_subjects: int
    draw: Draw


@dataclass(frozen=True)
class Rate:
    """A measured share of simulations, or mean share within them, with its 95% interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return "-" if np.isnan(self.value) else f"{self.value:.3f} ({self.low:.3f}, {self.high:.3f})"


def spherical(rng: np.random.Generator, n_subjects: int) -> NDArray[np.float64]:
    """Draw scores (n_subjects, learners, sizes): a subject's own level plus equal, independent noise."""
    return _subjects(rng, n_subjects) + rng.standard_normal((n_subjects, len(LEARNERS), len(SIZES)))


def uneven(rng: np.random.Generator, n_subjects: int) -> NDArray[np.float64]:
    """Draw scores whose cells differ in variance and are correlated, as learners on the same samples are."""
    covariance = np.kron(
        CORRELATION_OF_LEARNERS * np.outer(SD_OF_LEARNER, SD_OF_LEARNER),
        CORRELATION_OF_SIZES * np.outer(SD_OF_SIZE, SD_OF_SIZE),
    )
    noise = rng.standard_normal((n_subjects, len(covariance))) @ np.linalg.cholesky(covariance).T
    return _subjects(rng, n_subjects) + noise.reshape(n_subjects, len(LEARNERS), len(SIZES))


def heavy_tailed(rng: np.random.Generator, n_subjects: int) -> NDArray[np.float64]:
    """Draw spherical scores whose differences between cells all are t with 3 degrees of freedom."""
    noise = rng.standard_normal((n_subjects, len(LEARNERS), len(SIZES)))
    # One divisor for all cells of a subject: some subjects are wild as a whole.
    return _subjects(rng, n_subjects) + noise / np.sqrt(rng.chisquare(3, (n_subjects, 1, 1)) / 3)


WORLDS = (
    World("a", "spherical, 40 subjects", 40, spherical),
    World("b", "unequal and correlated, 40 subjects", 40, uneven),
    World("c", "heavy tails, 40 subjects", 40, heavy_tailed),
    World("d", "as (b), 10 subjects", 10, uneven),
)


def simulate(world: World, simulations: int, seed: int) -> dict[str, NDArray[np.float64]]:
    """Return for each test one number a simulation: did it reject, or what share of its family did."""
    rng = np.random.default_rng([seed, "abcd".index(world.key)])
    rows = [_false_alarms(world.draw(rng, world.n_subjects)) for _ in range(simulations)]
    return {test: np.array([row[test] for row in rows], dtype=np.float64) for test in rows[0]}


def rate(outcomes: NDArray[np.float64]) -> Rate:
    """Return the mean with its interval: exact binomial for yes or no, by standard error for shares.

    NaN are left out: simulations that have none of what is counted.
    """
    outcomes = outcomes[~np.isnan(outcomes)]
    if outcomes.size < 2:
        return Rate(float("nan"), float("nan"), float("nan"))
    if np.isin(outcomes, (0.0, 1.0)).all():
        found = binomtest(int(outcomes.sum()), outcomes.size).proportion_ci(0.95, method="exact")
        return Rate(float(outcomes.mean()), float(found.low), float(found.high))
    margin = 1.96 * outcomes.std(ddof=1) / np.sqrt(outcomes.size)
    return Rate(
        float(outcomes.mean()), max(0.0, float(outcomes.mean() - margin)), float(outcomes.mean() + margin)
    )


def page(
    rates: dict[str, dict[str, Rate]],
    table_rates: dict[str, dict[str, Rate]],
    simulations: int,
    seed: int,
    to: Path,
) -> str:
    """Return the page: what was drawn, a table of rates, and what they show."""
    head = ["test", *(f"({world.key}) {world.name}" for world in WORLDS)]
    lines = [" | ".join(head), " | ".join(["---"] * len(head))]
    for test in rates["a"]:
        lines.append(" | ".join([test, *(_cell(test, rates[world.key][test]) for world in WORLDS)]))
    found = {table.key: table_rates[table.key] for table in tables.TABLES}
    ties = [name for name in found["e"] if not name.endswith(("each of 15", "Holm"))]
    return TEXT.format(
        n_table_learners=tables.LEARNERS,
        n_pairs=tables.PAIRS.shape[1],
        kinds="\n".join(_kind(table, seed) for table in tables.TABLES),
        table_rates=_table_of(found, [name for name in found["e"] if name not in ties]),
        table_ties=_table_of(found, ties),
        simulations=simulations,
        seed=seed,
        to=to.as_posix(),
        learners=len(LEARNERS),
        sizes=len(SIZES),
        table="\n".join(f"| {line} |" for line in lines),
        ranks=headlines(RANKS),
        reading=reading(rates),
    )


def reading(rates: dict[str, dict[str, Rate]]) -> str:
    """Return the tests whose interval lies wholly above 0.05, then those wholly below, by world."""
    lines = []
    for world in WORLDS:
        alarms = {test: found for test, found in rates[world.key].items() if not test.startswith("coverage")}
        liberal = [f"{test} {found.value:.3f}" for test, found in alarms.items() if found.low > ALPHA]
        careful = [f"{test} {found.value:.3f}" for test, found in alarms.items() if found.high < ALPHA]
        lines.append(
            f"* **({world.key}) {world.name}.** Above 0.05: {'; '.join(liberal) or 'none'}. "
            f"Below: {'; '.join(careful) or 'none'}."
        )
    return "\n".join(lines)


def main() -> None:
    """Simulate all worlds and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulations", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--to", type=Path, default=Path("docs/reference/tests_under_the_null.md"))
    chosen = parser.parse_args()
    if chosen.simulations < 2:
        parser.error("--simulations must be at least 2, or there is no spread to report")
    rates = {
        world.key: {
            test: rate(outcomes)
            for test, outcomes in simulate(world, chosen.simulations, chosen.seed).items()
        }
        for world in WORLDS
    }
    table_rates = {
        table.key: {
            test: rate(outcomes)
            for test, outcomes in tables.false_alarms(table, chosen.simulations, chosen.seed).items()
        }
        for table in tables.TABLES
    }
    chosen.to.write_text(
        page(rates, table_rates, chosen.simulations, chosen.seed, chosen.to), encoding="utf-8"
    )


def _subjects(rng: np.random.Generator, n_subjects: int) -> NDArray[np.float64]:
    return rng.standard_normal((n_subjects, 1, 1))


def _false_alarms(scores: NDArray[np.float64]) -> dict[str, float]:
    anova = rm_anova(scores, factors=("learner", "size"))
    alarms: dict[str, float] = {
        f"ANOVA {name}, {label}": getattr(anova.effect(name), p) <= ALPHA
        for name in EFFECTS
        for p, label in CORRECTIONS.items()
    }
    pairs = paired_differences(scores, learners=LEARNERS, settings=SIZES, level=1 - ALPHA).rows
    means = mean_intervals(scores, level=1 - ALPHA)
    alarms["paired t, each of 18, unadjusted"] = float(np.mean([row.p <= ALPHA for row in pairs]))
    alarms["paired t, any of 18, unadjusted"] = any(row.p <= ALPHA for row in pairs)
    alarms["paired t, any of 18, Holm"] = any(row.p_holm <= ALPHA for row in pairs)
    alarms["coverage of all 18 differences, Bonferroni"] = all(row.low <= 0 <= row.high for row in pairs)
    alarms["coverage of all 12 means, Bonferroni"] = bool(((means.low <= 0) & (means.high >= 0)).all())
    return alarms


def _kind(table: tables.Table, seed: int) -> str:
    """Return a line of the list: what a kind of table is like."""
    error, disagreement = tables.errors_and_disagreements(table, seed)
    return (
        f"* ({table.key}) {table.n_rows} rows. After half of them the learners err on {error:.1%} of the "
        f"others, and two of them disagree on {disagreement:.1%}."
    )


def _table_of(found: dict[str, dict[str, Rate]], names: list[str]) -> str:
    head = ["of equal learners", *(f"({table.key}) {table.name}" for table in tables.TABLES)]
    lines = [" | ".join(head), " | ".join(["---"] * len(head))]
    lines += [
        " | ".join([name, *(_table_cell(name, rates[name]) for rates in found.values())]) for name in names
    ]
    return "\n".join(f"| {line} |" for line in lines)


def _table_cell(name: str, found: Rate) -> str:
    """Return the rate, bold where its interval lies above the level of the test."""
    is_test = name.endswith(("each of 15", "Holm", "finds different"))
    return f"**{found}**" if is_test and found.low > ALPHA else str(found)


def _cell(test: str, found: Rate) -> str:
    """Return the rate, bold where its interval lies on the wrong side of what was promised."""
    wrong = found.high < 1 - ALPHA if test.startswith("coverage") else found.low > ALPHA
    return f"**{found}**" if wrong else str(found)


if __name__ == "__main__":
    main()
