"""Judge the claims of the 2004 simulation and write the tables into the notes.

Run from the root of the repository, after both studies and add_optimum.py (`make claims` does all):

    python experiments/papers/hope2004_simulation/write_notes.py --study hope2004_simulation.db \
        --factors hope2004_factors.db --to experiments/papers/hope2004_simulation/notes.md

Claims are judged in the main study; the study of factors turns what the paper leaves open.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench import Results, load
from workbench.analyses import Regret
from workbench.comparisons import detectable_difference
from workbench.report.notes import table, write_section
from workbench.store.restored_study import stored_sources

sys.path.insert(0, str(Path(__file__).parent))
from claims import AGREE, CLAIMS, DISAGREE, LEVEL, MARGIN, SIZES, UNCLEAR, Case, Claim, Judgment, number

STUDIES = ("hope2004_simulation", "hope2004_factors")
VERDICTS = (AGREE, DISAGREE, UNCLEAR)
SOURCES = {"naive_bayes": "NB", "tan": "TAN", "aode": "AODE"}
#: Prior and rows. Claims on means need the training prior, whose own reward is zero.
EXACT, SAMPLE, EXACT_FROM_TRAINING = ("marginal", "exact"), ("training", "test"), ("training", "exact")
#: TAN and CaMML: the paper's first, ours last. The study of factors appends the smoothing to TAN's key.
LEARNERS = {
    ("tan_superparent", "camml_representative"): "SuperParent, representative (the paper's)",
    ("tan_superparent", "camml"): "SuperParent, shortest",
    ("tan", "camml_representative"): "Friedman's, representative",
    ("tan", "camml"): "Friedman's, shortest (ours)",
}
PAPERS = next(iter(LEARNERS))
LAWS = {"dirichlet_1": "Dirichlet(1)", "dirichlet_half": "Dirichlet(1/2)", "uniform": "normalized uniforms"}
SMOOTHINGS = {"half": "1/2", "one": "1", "n0": "N0"}
#: Of the logarithm, and whether the bets on the classes are averaged or added up.
UNITS = {
    "bits, mean": (1.0, False), "nats, mean": (np.log(2), False), "bits, sum": (1.0, True),
    "nats, sum": (np.log(2), True),
}  # fmt: skip
MARGINS = (0.01, 0.02, 0.03, 0.05)
ZERO = 1e-9

CHANGED = (
    "Agree/disagree/unclear over the 9 (NB, TAN) or 18 (AODE) conditions of law, class prior and smoothing. "
    "Conditions with the same law share their truths and are therefore no independent repetitions."
)
REGRET = (
    "Bits of exact IR_B. Of each learner its distance to the truth, and its regret to the optimum ± the half "
    "width of the simultaneous 95% interval. On AODE data the optimum is sampled."
)
LEVELS = "Mean exact reward at 50 / 500 / 5000 rows, in bits, averaged over the levels of the other factors."
POWER = "With 80% power, by the paired t test: the least and the greatest over the six pairs of learners."
SILENT = "Share of truths on which CaMML only repeats the class frequencies"
EACH = "The paper's learners: verdict, and the values that decide it in bits."


class Condition(NamedTuple):
    """A level of each factor of the second study; only AODE truths have a class prior to vary."""

    law: str
    class_prior: str
    smoothing: str

    def __str__(self) -> str:
        parts = [LAWS[self.law], f"{self.class_prior} class priors" if self.class_prior else ""]
        return ", ".join([*filter(None, parts), f"smoothing {SMOOTHINGS[self.smoothing]}"])


class Setting(NamedTuple):
    """What a claim is judged under; the defaults are the main study's."""

    condition: Condition | None = None
    learners: tuple[str, str] = PAPERS
    unit: str = "bits, mean"
    margin: float = MARGIN
    other_measure: bool = False


@dataclass(frozen=True, eq=False)
class Rewards:
    """The rewards of both studies by source, measure and learner, and the number of classes of each truth."""

    found: dict[tuple[str, str, str, str], NDArray[np.float64]]
    n_classes: dict[str, NDArray[np.int64]]

    @classmethod
    def of(cls, *stores: Results) -> "Rewards":
        """Read stores."""
        found, n_classes = {}, {}
        for results in stores:
            frame = results.frame()
            frame = frame[(frame["metric"] == "ir_b") & (frame["cutoff"] == "none")]
            replicates = sorted(frame["replicate"].unique())
            for key, own in frame.groupby(["source", "prior", "rows", "learner"], observed=True):
                wide = own.pivot(index="replicate", columns="n_train", values="value")
                found[key] = wide[list(SIZES)].to_numpy()
            for key, drawn in stored_sources(results.study).items():
                truths = [drawn.draw(seed=results.study.seed, replicate=i) for i in replicates]
                n_classes[key] = np.array([len(truth.classes) for truth in truths])
        return cls(found, n_classes)

    def case(self, claim: Claim, setting: Setting) -> Case:
        """Return the rewards of the four roles under a setting."""
        return _case(self, claim.source, claim.by_means, setting)


@cache
def _case(rewards: Rewards, source: str, by_means: bool, setting: Setting) -> Case:
    tan, camml = setting.learners
    keys, place = ["nb", tan, "aode", camml], source
    if setting.condition is not None:
        law, class_prior, smoothing = setting.condition
        keys = [f"{key}_{smoothing}" for key in keys[:3]] + [camml]
        place = "_".join(filter(None, [source, class_prior, law]))
    measure = (SAMPLE, EXACT_FROM_TRAINING) if by_means else (EXACT, SAMPLE)
    prior, rows = measure[setting.other_measure]
    values = np.stack([rewards.found[place, prior, rows, key] for key in keys], axis=1)
    factor, is_sum = UNITS[setting.unit]
    if is_sum:
        factor = factor * rewards.n_classes[place][:, None, None]
    return Case(values * factor, setting.margin)


def conditions_of(source: str) -> list[Condition]:
    """Return all conditions of the study of factors for a kind of truth."""
    priors = ("own", "shared") if source == "aode" else ("",)
    return [Condition(law, prior, one) for law in LAWS for prior in priors for one in SMOOTHINGS]


MAIN = Setting()


def judged(rewards: Rewards, claim: Claim, setting: Setting = MAIN) -> Judgment:
    """Judge a claim under a setting."""
    return claim.rule(rewards.case(claim, setting))


def changes(claim: Claim) -> Iterator[tuple[str, Setting]]:
    """Yield every setting with one change that the claim can depend on, and its name."""
    for learners, words in LEARNERS.items():
        yield words, Setting(learners=learners)
    for unit in UNITS:
        yield unit, Setting(unit=unit)
    for margin in MARGINS if claim.of_margin else ():
        yield f"margin {margin}", Setting(margin=margin)
    yield (
        ("exact, from the training prior" if claim.by_means else "on 1000 test rows"),
        Setting(other_measure=True),
    )


def titled(claim: Claim) -> str:
    """Return number, kind of truths and words of a claim."""
    return f"({claim.name}) {SOURCES[claim.source]} data: {claim.words}"


def claims_table(rewards: Rewards) -> str:
    """Return each claim, its verdict with the paper's learners, what decides, and its verdict with ours."""
    rows = []
    for claim in CLAIMS:
        first = judged(rewards, claim)
        others = [judged(rewards, claim, Setting(learners=pair)).verdict for pair in list(LEARNERS)[1:]]
        rows.append([titled(claim), f"**{first.verdict}**", "; ".join(map(str, first.effects)),
                     judged(rewards, claim, Setting(other_measure=True)).verdict, *others])  # fmt: skip
    head = ["claim", "verdict", "what decides [bits]", "by the other measure", *list(LEARNERS.values())[1:]]
    return table(head, rows)


def counts(verdicts: Sequence[str]) -> str:
    """Return how many agree, disagree and are unclear."""
    return "/".join(str(verdicts.count(verdict)) for verdict in VERDICTS)


def over_conditions(rewards: Rewards, claim: Claim, setting: Setting) -> list[str]:
    """Return the verdicts of a claim in all conditions of the study of factors."""
    return [
        judged(rewards, claim, setting._replace(condition=condition)).verdict
        for condition in conditions_of(claim.source)
    ]


def sensitivity_table(rewards: Rewards) -> str:
    """Return for each claim which changes alter its verdict, and how often it agrees over the conditions."""
    rows = []
    for claim in CLAIMS:
        first = judged(rewards, claim).verdict
        alone = [(words, judged(rewards, claim, setting).verdict) for words, setting in changes(claim)]
        near = Condition("dirichlet_1", "own" if claim.source == "aode" else "", "one")
        one_step = [
            c for c in conditions_of(claim.source) if sum(a != b for a, b in zip(c, near, strict=True)) == 1
        ]
        alone += [(_level(c, near), judged(rewards, claim, Setting(c)).verdict) for c in one_step]
        changed = [f"{words}: {verdict}" for words, verdict in alone if verdict != first]
        rows.append([titled(claim), first, "; ".join(changed) or "nothing tried",
                     counts(over_conditions(rewards, claim, MAIN))])  # fmt: skip
    return table(["claim", "verdict", "changed by", "agree/disagree/unclear over the conditions"], rows)


def _level(condition: Condition, near: Condition) -> str:
    if condition.law != near.law:
        return LAWS[condition.law]
    if condition.class_prior != near.class_prior:
        return "shared class priors"
    return f"smoothing {SMOOTHINGS[condition.smoothing]}"


def changed_table(rewards: Rewards) -> str:
    """Return agree/disagree/unclear over the conditions, with one other setting changed in each row."""
    settings = dict(pair for claim in CLAIMS for pair in changes(claim))
    rows = []
    for words, setting in settings.items():
        cells = []
        for claim in CLAIMS:
            asked = words in dict(changes(claim))
            cells.append(counts(over_conditions(rewards, claim, setting)) if asked else "")
        rows.append([words, *cells])
    return table(["changed", *(f"({claim.name})" for claim in CLAIMS)], rows)


def conditions_table(rewards: Rewards, source: str) -> str:
    """Return one row per condition with the paper's learners: verdict and the number that decides."""
    own = [claim for claim in CLAIMS if claim.source == source]
    rows = []
    for condition in conditions_of(source):
        found = [judged(rewards, claim, Setting(condition)) for claim in own]
        rows.append([str(condition), *(f"{one.verdict}, {_values(one)}" for one in found)])
    return table(["condition", *(f"({claim.name}) {claim.words}" for claim in own)], rows)


def _values(judgment: Judgment) -> str:
    return " and ".join(number(effect.value) for effect in judgment.effects)


def anova_table(study: Results) -> str:
    """Return the paper's analysis of variance of rewards on test rows, and of exact ones."""
    rows = []
    for words, (prior, on) in {"1000 test rows": SAMPLE, "exact": EXACT}.items():
        found = study.anova(f"ir_b/{prior}/{on}/none")
        for (source, effect), row in found.iterrows():
            F = f"F({row['df']:.0f}, {row['df_error']:.0f}) = {row['F']:.1f}"
            tested = [f"{row['epsilon_gg']:.2f}", _p(row["p"]), _p(row["p_gg"])]
            rows.append([SOURCES[source], words, effect, F, *tested])
    return table(["data", "reward", "effect", "F", "epsilon", "p", "p, Greenhouse-Geisser"], rows)


def _p(p: float) -> str:
    return f"{p:.3f}" if p >= 0.001 else "< .001"


def regret_table(study: Results) -> str:
    """Return the irreducible loss, and each learner's distance to the truth and regret."""
    learners = ["nb", *PAPERS[:1], "aode", *PAPERS[1:], "tan", "camml"]
    found = Regret.of_results(study, score="ir_b/marginal/exact/none", learners=learners).table
    rows = []
    for (source, size), own in found.groupby(["source", "n_train"], sort=False):
        first, by_learner = own.iloc[0], own.set_index("learner")
        half = (first["irreducible_high"] - first["irreducible_low"]) / 2
        cells = [f"{first['irreducible']:z.3f} ±{half:.3f}"]
        for row in (by_learner.loc[key] for key in learners):
            half = (row["high"] - row["low"]) / 2
            cells.append(f"{row['to_truth']:z.3f}, {row['regret']:z.3f} ±{half:.3f}")
        rows.append([SOURCES[source], size, *cells])
    return table(["data", "rows", "irreducible", *learners], rows)


def silent_table(rewards: Rewards) -> str:
    """Return the share of truths on which CaMML repeats the class frequencies, and so gets no reward."""
    rows = []
    for source, words in SOURCES.items():
        for key in ("camml_representative", "camml"):
            found = np.abs(rewards.found[source, *SAMPLE, key]) < ZERO
            rows.append([words, key, *(f"{share:.3f}" for share in found.mean(axis=0))])
    return table(["data", "learner", *(f"{size} rows" for size in SIZES)], rows)


def levels_table(rewards: Rewards) -> str:
    """Return mean exact rewards at each level of each factor, averaged over the levels of the others."""
    rows = []
    learners = ["nb", "tan_superparent", "tan", "aode", "camml_representative", "camml"]
    for place, factor in enumerate(Condition._fields):
        for source, words in SOURCES.items():
            conditions = conditions_of(source)
            for level in dict.fromkeys(condition[place] for condition in conditions):
                chosen = [c for c in conditions if c[place] == level]
                if level:
                    cells = [_mean(rewards, source, chosen, key) for key in learners]
                    name = LAWS.get(level, SMOOTHINGS.get(level, level))
                    rows.append([words, factor.replace("_", " "), name, *cells])
    return table(["data", "factor", "level", *learners], rows)


def _mean(rewards: Rewards, source: str, conditions: Sequence[Condition], key: str) -> str:
    means = []
    for law, class_prior, smoothing in conditions:
        place = "_".join(filter(None, [source, class_prior, law]))
        learner = key if key.startswith("camml") else f"{key}_{smoothing}"
        means.append(rewards.found[place, *EXACT, learner].mean(axis=0))
    return " / ".join(number(one) for one in np.mean(means, axis=0))


def detectable_table(rewards: Rewards) -> str:
    """Return the smallest differences that can be detected, the least and greatest over the pairs."""
    rows = []
    for source in SOURCES:
        claim = next(one for one in CLAIMS if one.source == source and not one.by_means)
        found = rewards.case(claim, MAIN).differences
        for size in SIZES:
            sds = np.array([row.sd for row in found.rows if row.setting == size])
            cells = []
            for alpha in (LEVEL, LEVEL / len(found.rows)):
                smallest = detectable_difference(sds, found.n_subjects, alpha=alpha)
                cells.append(f"{np.min(smallest):.4f} to {np.max(smallest):.4f}")
            rows.append([SOURCES[source], size, *cells])
    head = ["data", "training rows", "one test at 5%", f"one of {len(found.rows)} at Bonferroni's level"]
    return table(head, rows)


def sections(study: Results, factors: Results) -> Iterator[str]:
    """Yield all tables with their headings."""
    rewards = Rewards.of(study, factors)
    n_models = sorted({len(values) for values in rewards.found.values()})
    yield f"Truths of each kind and condition: {' to '.join(map(str, n_models))}."
    yield "### The claims\n\n" + claims_table(rewards)
    yield "### What changes a verdict\n\n" + sensitivity_table(rewards)
    yield f"### The conditions, with one more setting changed\n\n{CHANGED}\n\n{changed_table(rewards)}"
    yield "### The paper's analysis of variance\n\n" + anova_table(study)
    yield f"### Distance to the truth and regret to the optimum\n\n{REGRET}\n\n{regret_table(study)}"
    yield f"### {SILENT}\n\n{silent_table(rewards)}"
    yield f"### What the factors do\n\n{LEVELS}\n\n{levels_table(rewards)}"
    yield f"### The smallest difference that can be found, bits\n\n{POWER}\n\n{detectable_table(rewards)}"
    for source, words in SOURCES.items():
        yield f"### Each condition, {words} data\n\n{EACH}\n\n{conditions_table(rewards, source)}"


def store_of(path: Path, name: str) -> Results:
    """Read the store of a study; exit with a sentence if it is another's."""
    results = load(path)
    if results.study.name != name:
        sys.exit(f"{path} is a store of {results.study.name}: give one of {name}")
    return results


def main() -> None:
    """Read the options and write the tables into the notes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--study", type=Path, default=Path("hope2004_simulation.db"), help="its store")
    parser.add_argument("--factors", type=Path, default=Path("hope2004_factors.db"), help="its store")
    parser.add_argument("--to", type=Path, required=True, help="notes with the generated-section markers")
    options = parser.parse_args()
    stores = map(store_of, (options.study, options.factors), STUDIES)
    text = "\n\n".join(sections(*stores))
    write_section(options.to, text, stays=["The claims", "What changes a verdict"])


if __name__ == "__main__":
    main()
