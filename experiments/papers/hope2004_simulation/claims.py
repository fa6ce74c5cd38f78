"""Judge the nine claims of Hope and Korb (2004), section 5.1, and write the tables into the notes.

Run from the root of the repository, after both studies:

    python experiments/papers/hope2004_simulation/claims.py --study hope2004_simulation.db \
        --factors hope2004_factors.db --to experiments/papers/hope2004_simulation/notes.md

or, with another learner in the role of TAN and without factors:

    python experiments/papers/hope2004_simulation/claims.py --study hope2004_simulation_superparent.db \
        --tan tan_superparent --to experiments/papers/hope2004_simulation/superparent.md

A rule turns paired differences or means into a verdict; a claim is a rule and what it is about.
"""

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from workbench import Results, load
from workbench.analyses import Differences, Experiment, Means, experiments_of
from workbench.base.score_key import ScoreKey
from workbench.comparisons import PairedDifference, detectable_difference
from workbench.report.renderers.markdown import between_markers

AGREE, DISAGREE, UNCLEAR, DEPENDS = "agree", "disagree", "unclear", "depends"
LEVEL = 0.05
TOLERANCE = 0.02  # bits; smaller differences count as zero
PRINTED = (-0.3, 0.1)  # the paper's range of all rewards on AODE data
ALL, EARLY, LATER = (50, 500, 5000), (50,), (500, 5000)

NAMES = {"nb": "NB", "tan": "TAN", "aode": "AODE", "camml": "CaMML"}
SOURCES = ("naive_bayes", "tan", "aode")
DATA = dict(zip(SOURCES, ("NB data", "TAN data", "AODE data"), strict=True))
LAWS = {"dirichlet_1": "Dirichlet(1)", "dirichlet_half": "Dirichlet(1/2)", "uniform": "normalized uniforms"}
SMOOTHINGS = {"half": "half", "one": "one", "n0": "N0"}

LEVELS_NOTE = """Mean exact reward against the true class distribution, in bits, at 50 / 500 / 5000 rows.
Each is averaged over the levels of the other factors. CaMML takes no smoothing."""
DETECTABLE_NOTE = """The smallest true difference, in bits, that a paired t test finds with 80% power: the
smallest and the largest over the six pairs of learners, for the exact reward in the main study."""
EACH_NOTE = """Verdict and what decides it, in bits. Claims (7) and (8): means on the test rows against the
training prior, with intervals between models. The others: exact differences, with intervals within models."""
AFTERWARDS_NOTE = "Not fixed beforehand. Claims (1) to (4), judged by the pairs that TAN takes no part in."


class Measure(NamedTuple):
    """Which reward: against which prior, by the exact expectation or on test rows."""

    prior: str
    rows: str


EXACT, REPRODUCTION = Measure("marginal", "exact"), Measure("training", "test")
# Where zero matters, the prior must be the training prior, whose own reward is zero.
EXACT_FROM_TRAINING = Measure("training", "exact")


@dataclass(frozen=True)
class Effect:
    """A difference or a mean in bits, with its interval."""

    what: str
    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.what}: {bits(self.value)} ({bits(self.low)} to {bits(self.high)})"


@dataclass(frozen=True)
class Judgment:
    """A verdict and the effects that decide it, in an order that is the same for all judgments of a claim."""

    verdict: str
    effects: tuple[Effect, ...]

    def __str__(self) -> str:
        return f"{self.verdict}; {'; '.join(map(str, self.effects))}"


class Condition(NamedTuple):
    """A condition of the study of factors; only AODE data have a class prior to vary."""

    source: str
    law: str
    class_prior: str
    smoothing: str


@dataclass(frozen=True)
class Claim:
    """One claim of the paper; the rule reads an experiment whose learners are nb, tan, aode and camml."""

    number: int
    source: str
    words: str
    rule: Callable[[Experiment], Judgment]
    exact: Measure = EXACT
    headline: Measure = EXACT
    intervals: str = "difference, within models"


@dataclass(frozen=True)
class JudgedClaim:
    """A claim with its verdicts: main study by two measures, and each condition by two measures."""

    claim: Claim
    exact: Judgment
    reproduction: Judgment
    conditions: Mapping[Condition, Judgment]
    conditions_reproduction: Mapping[Condition, Judgment]

    @property
    def headline(self) -> Judgment:
        """The judgment of the main study."""
        return self.reproduction if self.claim.headline == REPRODUCTION else self.exact

    @property
    def overall(self) -> str:
        """Agree where all agree, disagree where none does and some disagree, else depends or unclear."""
        verdicts = [self.headline.verdict, *(one.verdict for one in self.conditions.values())]
        if AGREE in verdicts:
            return AGREE if set(verdicts) == {AGREE} else DEPENDS
        return DISAGREE if DISAGREE in verdicts else UNCLEAR


def judge_alike(pairs: Sequence[PairedDifference]) -> Judgment:
    """Judge whether learners are level: every interval within the tolerance, or one wholly outside it."""
    outside = [pair for pair in pairs if max(pair.low, -pair.high) > TOLERANCE]
    if outside:
        return Judgment(DISAGREE, (_effect(max(outside, key=lambda pair: max(pair.low, -pair.high))),))
    widest = max(pairs, key=lambda pair: max(-pair.low, pair.high))
    within = max(-widest.low, widest.high) <= TOLERANCE
    return Judgment(AGREE if within else UNCLEAR, (_effect(widest),))


def judge_order(pairs: Sequence[PairedDifference]) -> Judgment:
    """Judge that the first learner of every pair is better: by Holm's test, in this direction."""
    reverse = [pair for pair in pairs if pair.p_holm < LEVEL and pair.difference < 0]
    open_ = [pair for pair in pairs if not pair.p_holm < LEVEL]
    verdict = DISAGREE if reverse else UNCLEAR if open_ else AGREE
    return Judgment(verdict, (_effect(min(reverse or open_ or pairs, key=lambda pair: pair.difference)),))


def judge_range(means: Iterable[Effect]) -> Judgment:
    """Judge that all means lie in the printed range; disagree where a whole interval lies outside."""
    ordered = sorted(means, key=lambda mean: mean.value)
    low, high = PRINTED
    inside = low <= ordered[0].value and ordered[-1].value <= high
    outside = any(mean.high < low or mean.low > high for mean in ordered)
    return Judgment(AGREE if inside else DISAGREE if outside else UNCLEAR, (ordered[0], ordered[-1]))


def judge_only_not_below(favored: Effect, others: Sequence[Effect]) -> Judgment:
    """Judge that `favored` alone is not below zero, where zero is the reward of the training prior."""
    best = max(others, key=lambda mean: mean.value)
    above = max(others, key=lambda mean: mean.low)
    if favored.high < 0 or above.low > 0:
        return Judgment(DISAGREE, (favored, above if above.low > 0 else best))
    highest = max(others, key=lambda mean: mean.high)
    return Judgment(AGREE if highest.high < 0 else UNCLEAR, (favored, highest))


def of_pairs(
    judge: Callable[[Sequence[PairedDifference]], Judgment],
    pairs: Sequence[tuple[str, str]],
    sizes: Sequence[int],
    experiment: Experiment,
) -> Judgment:
    """Judge the differences of pairs (first minus second) at sizes."""
    paired = Differences.of(experiment).paired
    return judge([paired.between(*pair, size) for size in sizes for pair in pairs])


def of_all_means(experiment: Experiment) -> Judgment:
    """Judge the range of the means of all learners at all sizes."""
    return judge_range(_means(experiment).values())


def of_means_at_50(experiment: Experiment) -> Judgment:
    """Judge that CaMML alone is not below zero at 50 rows."""
    means = _means(experiment)
    others = [mean for (learner, size), mean in means.items() if size == 50 and learner != "camml"]
    return judge_only_not_below(means["camml", 50], others)


def _effect(pair: PairedDifference) -> Effect:
    what = f"{NAMES[pair.learner]} - {NAMES[pair.other]} at {pair.setting}"
    return Effect(what, pair.difference, pair.low, pair.high)


def _means(experiment: Experiment) -> dict[tuple[str, int], Effect]:
    table = Means.of(experiment).table
    rows = table[table["role"] == "compared"].itertuples()
    return {
        (row.learner, row.n_train): Effect(
            f"{NAMES[row.learner]} at {row.n_train}", row.mean, row.low, row.high
        )
        for row in rows
    }


def _pairs(firsts: str, seconds: str) -> list[tuple[str, str]]:
    return [(first, second) for first in firsts.split() for second in seconds.split()]


ALIKE = [("nb", "tan"), ("nb", "aode"), ("tan", "aode")]
CAMML_LAST, AODE_FIRST = _pairs("nb tan aode", "camml"), _pairs("aode", "nb tan camml")
BY_MEANS = (EXACT_FROM_TRAINING, REPRODUCTION, "mean, between models")
CLAIMS = (
    Claim(1, "naive_bayes", "NB, TAN and AODE alike at every size",
          partial(of_pairs, judge_alike, ALIKE, ALL)),
    Claim(2, "naive_bayes", "CaMML worse than the others at 50",
          partial(of_pairs, judge_order, CAMML_LAST, EARLY)),
    Claim(3, "naive_bayes", "CaMML level with the others later",
          partial(of_pairs, judge_alike, CAMML_LAST, LATER)),
    Claim(4, "tan", "AODE best at 50", partial(of_pairs, judge_order, AODE_FIRST, EARLY)),
    Claim(5, "tan", "TAN and CaMML above AODE later",
          partial(of_pairs, judge_order, _pairs("tan camml", "aode"), LATER)),
    Claim(6, "tan", "NB worst later", partial(of_pairs, judge_order, _pairs("tan aode camml", "nb"), LATER)),
    Claim(7, "aode", "all mean rewards between -0.3 and 0.1", of_all_means, *BY_MEANS),
    Claim(8, "aode", "at 50 only CaMML not below 0", of_means_at_50, *BY_MEANS),
    Claim(9, "aode", "AODE best later", partial(of_pairs, judge_order, AODE_FIRST, LATER)),
)  # fmt: skip
WITHOUT_TAN = (
    Claim(1, "naive_bayes", "NB and AODE alike at every size",
          partial(of_pairs, judge_alike, [("nb", "aode")], ALL)),
    Claim(2, "naive_bayes", "CaMML worse than NB and AODE at 50",
          partial(of_pairs, judge_order, _pairs("nb aode", "camml"), EARLY)),
    Claim(3, "naive_bayes", "CaMML level with NB and AODE later",
          partial(of_pairs, judge_alike, _pairs("nb aode", "camml"), LATER)),
    Claim(4, "tan", "AODE above NB and CaMML at 50",
          partial(of_pairs, judge_order, _pairs("aode", "nb camml"), EARLY)),
)  # fmt: skip
MEASURES = tuple(dict.fromkeys([REPRODUCTION, *(claim.exact for claim in CLAIMS)]))


def main_experiments(study: Results, tan: str = "tan") -> dict[tuple[Measure, str], Experiment]:
    """Read the experiments of the main study, by measure and source, `tan` in the role of TAN."""
    learners = [tan if learner == "tan" else learner for learner in NAMES]
    return {
        (measure, experiment.source): replace(
            experiment, learners=tuple("tan" if key == tan else key for key in experiment.learners)
        )
        for measure in MEASURES
        for experiment in experiments_of(study, score=ScoreKey("ir_b", *measure), learners=learners)
    }


def factor_experiments(factors: Results) -> dict[tuple[Measure, Condition], Experiment]:
    """Read the study of factors as if each condition were a study of its own, its learners named plainly."""
    found = {}
    for measure in MEASURES:
        for smoothing in SMOOTHINGS:
            learners = [f"{learner}_{smoothing}" for learner in NAMES if learner != "camml"] + ["camml"]
            for one in experiments_of(factors, score=ScoreKey("ir_b", *measure), learners=learners):
                condition = condition_of(one.source, smoothing)
                found[measure, condition] = replace(one, learners=tuple(NAMES))
    return found


def condition_of(key: str, smoothing: str) -> Condition:
    """Read a source's key, such as "aode_own_dirichlet_half", as a condition."""
    source = next(name for name in SOURCES if key.startswith(name))
    rest = key.removeprefix(f"{source}_")
    class_prior = next((word for word in ("own", "shared") if rest.startswith(word)), "")
    return Condition(source, LAWS[rest.removeprefix(f"{class_prior}_")], class_prior, SMOOTHINGS[smoothing])


def judge_claims(
    claims: Iterable[Claim],
    study: Mapping[tuple[Measure, str], Experiment],
    conditions: Mapping[tuple[Measure, Condition], Experiment],
) -> list[JudgedClaim]:
    """Judge every claim in the main study and under every condition."""
    judged = []
    for claim in claims:
        own = {key: claim.rule(one) for key, one in conditions.items() if key[1].source == claim.source}
        judged.append(
            JudgedClaim(
                claim,
                claim.rule(study[claim.exact, claim.source]),
                claim.rule(study[REPRODUCTION, claim.source]),
                {condition: one for (measure, condition), one in own.items() if measure == claim.headline},
                {condition: one for (measure, condition), one in own.items() if measure == REPRODUCTION},
            )
        )
    return judged


def dependence(judgments: Mapping[Condition, Judgment]) -> str:
    """Return how often each level of a factor agrees, of the factors whose levels differ in that."""
    parts = []
    for factor in Condition._fields[1:]:
        counts: dict[str, list[bool]] = {}
        for condition, one in judgments.items():
            counts.setdefault(getattr(condition, factor), []).append(one.verdict == AGREE)
        if len({sum(agree) for agree in counts.values()}) > 1:
            parts.append(", ".join(f"{level} {sum(a)} of {len(a)}" for level, a in counts.items()))
    return "; ".join(parts) or "no factor"


def bits(value: float) -> str:
    """Write bits with three decimals and no minus zero."""
    return f"{round(value, 3) + 0.0:.3f}"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def claims_table(judged: Sequence[JudgedClaim]) -> str:
    """Write the findings on each claim in the main study, by both measures."""
    head = ["claim", "interval of a", "exact: what decides, in bits", "exact",
            "reproduction: what decides, in bits", "reproduction"]  # fmt: skip
    return table(head, [
        (f"{DATA[one.claim.source]}: ({one.claim.number}) {one.claim.words}", one.claim.intervals,
         "; ".join(map(str, one.exact.effects)), one.exact.verdict,
         "; ".join(map(str, one.reproduction.effects)), one.reproduction.verdict)
        for one in judged
    ])  # fmt: skip


def factors_table(judged: Sequence[JudgedClaim]) -> str:
    """Write how often each claim agrees over the conditions, and which factors matter."""
    head = ["claim", "overall", "conditions: agree / disagree / unclear", "the same by reproduction",
            "levels that differ: how many agree", "range of what decides, in bits"]  # fmt: skip
    return table(head, [
        (f"({one.claim.number}) {one.claim.words}", one.overall, _counts(one.conditions),
         _counts(one.conditions_reproduction), dependence(one.conditions), _ranges(one.conditions))
        for one in judged
    ])  # fmt: skip


def _counts(judgments: Mapping[Condition, Judgment]) -> str:
    verdicts = [one.verdict for one in judgments.values()]
    counts = " / ".join(str(verdicts.count(verdict)) for verdict in (AGREE, DISAGREE, UNCLEAR))
    return f"{counts} of {len(verdicts)}"


def _ranges(judgments: Mapping[Condition, Judgment]) -> str:
    columns = zip(*([effect.value for effect in one.effects] for one in judgments.values()), strict=True)
    return "; ".join(f"{bits(min(column))} to {bits(max(column))}" for column in columns)


def conditions_table(judged: Sequence[JudgedClaim], source: str) -> str:
    """Write one row per condition, for the claims about one kind of data, the main study first."""
    own = [one for one in judged if one.claim.source == source]
    names = ["law of rows", "class prior", "smoothing"] if source == "aode" else ["law of rows", "smoothing"]
    rows: list[list[object]] = [["main study", *[""] * (len(names) - 1), *(one.headline for one in own)]]
    for condition in own[0].conditions:
        labels = [label for label in condition[1:] if label]
        rows.append([*labels, *(one.conditions[condition] for one in own)])
    return table([*names, *(f"({one.claim.number}) {one.claim.words}" for one in own)], rows)


def levels_table(conditions: Mapping[tuple[Measure, Condition], Experiment]) -> str:
    """Write the mean rewards at each level of each factor, averaged over the levels of the others."""
    rows = []
    for factor in ("smoothing", "law", "class_prior"):
        for source in SOURCES:
            groups: dict[str, list[np.ndarray]] = {}
            for (measure, condition), one in conditions.items():
                level = getattr(condition, factor)
                if measure == EXACT and condition.source == source and level:
                    groups.setdefault(level, []).append(one.values.mean(axis=0))
            for level, values in groups.items():
                cells = [" / ".join(map(bits, by_size)) for by_size in np.mean(values, axis=0)]
                rows.append([DATA[source], factor.replace("_", " "), level, *cells])
    return table(["data", "factor", "level", *NAMES.values()], rows)


def detectable_table(study: Mapping[tuple[Measure, str], Experiment]) -> str:
    """Write the smallest differences that can be detected, the smallest and largest over the pairs."""
    rows = []
    for source in SOURCES:
        experiment = study[EXACT, source]
        differences = Differences.of(experiment).table
        n = len(experiment.replicates)
        for size, own in differences.groupby("n_train"):
            cells = []
            for alpha in (LEVEL, LEVEL / len(differences)):
                found = detectable_difference(own["sd"].to_numpy(), n, alpha=alpha)
                cells.append(f"{np.min(found):.4f} to {np.max(found):.4f}")
            rows.append([DATA[source], size, *cells])
    head = ["data", "training rows", "one test at 5%", f"one of {len(differences)} at Bonferroni's level"]
    return table(head, rows)


def generated(study: Results, factors: Results | None, tan: str = "tan") -> str:
    """Write all tables with explanations; without factors only those of the main study."""
    whole = main_experiments(study, tan)
    conditions = {} if factors is None else factor_experiments(factors)
    judged = judge_claims(CLAIMS, whole, conditions)
    afterwards = judge_claims(WITHOUT_TAN, whole, conditions)
    experiments = [*whole.values(), *conditions.values()]
    n_models = sorted({len(one.replicates) for one in experiments})
    notes = dict.fromkeys(note for one in experiments for note in one.notes)
    varied = [] if factors is None else [factors_table(judged), factors_table(afterwards)]
    parts = [
        f"Models of each kind and condition: {' to '.join(map(str, n_models))}.",
        *notes,
        "## The claims in the main study", claims_table(judged),
        *(["## The claims over the conditions", varied[0]] if varied else []),
        "## The claims that TAN decides, without TAN", AFTERWARDS_NOTE, claims_table(afterwards),
        *varied[1:],
        *(["## What the factors themselves do", LEVELS_NOTE, levels_table(conditions)] if varied else []),
        "## The smallest difference that can be found", DETECTABLE_NOTE, detectable_table(whole),
    ]  # fmt: skip
    if varied:
        look_up = [f"### {DATA[source]}\n\n{conditions_table(judged, source)}" for source in SOURCES]
        parts += ["## Each condition", EACH_NOTE, *look_up]
    return "\n\n".join(parts)


def main() -> None:
    """Read the options and write the tables into the notes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--study", type=Path, default=Path("hope2004_simulation.db"), help="its store")
    parser.add_argument("--factors", type=Path, help="its store; without it the main study alone is judged")
    parser.add_argument("--tan", default="tan", help="the learner in the role of TAN, by its key")
    parser.add_argument("--to", type=Path, required=True, help="notes with the generated-section markers")
    options = parser.parse_args()
    factors = load(options.factors) if options.factors else None
    text = generated(load(options.study), factors, options.tan)
    page = options.to.read_text(encoding="utf-8")
    options.to.write_text(between_markers(page, text), encoding="utf-8")


if __name__ == "__main__":
    main()
