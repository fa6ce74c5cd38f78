"""The tables of a report, from the analyses."""

import math
from collections.abc import Sequence

import pandas as pd

from workbench.analyses import Differences, Means, Variance
from workbench.comparisons import LEVEL
from workbench.report.document import Cell, Number, Table
from workbench.report.words import name_of, score_words

__all__ = ["anova_table", "differences_table", "means_table", "number", "p_value", "tally_table"]

ROLES = {"compared": "", "beside": "beside", "truth": "ceiling"}


def number(value: float, decimals: int = 4, name: str = "", interval: Sequence[float] = ()) -> Number:
    """Return a number for a table, with its interval behind it where it has one."""
    low, high = interval or (math.nan, math.nan)
    text = _plain(value, decimals)
    if not math.isnan(low):
        text += f" [{_plain(low, decimals)}, {_plain(high, decimals)}]"
    return Number(text, float(value), name, float(low), float(high))


def p_value(p: float, name: str = "") -> Number:
    """Return a p value for a table."""
    return Number("< 0.0001" if p < 0.0001 else _plain(p, 4), float(p), name)


def means_table(means: Means) -> Table:
    """Return learners by size, with intervals."""
    experiment = means.experiment
    rows: list[tuple[Cell, ...]] = []
    for learner, own in means.table.groupby("learner", sort=False):
        cells = [
            number(row.mean, 4, name_of("mean", experiment, learner, row.n_train), (row.low, row.high))
            for row in own.sort_values("n_train").itertuples(index=False)
        ]
        role = own["role"].iloc[0]
        rows.append(
            (str(learner), "" if role == "compared" else "ceiling" if role == "truth" else role, *cells)
        )
    title = f"{experiment.kind}: {score_words(experiment)}"
    columns = ("learner", "role", *[f"{size} rows" for size in experiment.sizes])
    n = len(experiment.replicates)
    several = (
        f"Mean over {n} truths, in {experiment.unit}; {experiment.metric.direction} is better. Brackets: "
        f"intervals of the mean between truths; the {means.n_intervals} of the compared learners hold "
        "together at 95% (Bonferroni), and each of the others is at the same level as each of these."
    )
    notes = [
        several if n > 1 else f"One truth, in {experiment.unit}; {experiment.metric.direction} is better.",
        *[f"{note[0].upper()}{note[1:]}." for note in experiment.notes],
    ]
    return Table(title, columns, tuple(rows), " ".join(notes))


def differences_table(differences: Differences) -> Table:
    """Return every pair at every size."""
    experiment = differences.experiment
    rows: list[tuple[Cell, ...]] = []
    for row in differences.table.itertuples(index=False):
        pair = f"{row.learner} \u2212 {row.other}"
        place = (experiment, row.learner, row.other, row.n_train)
        better = row.learner if experiment.sign * row.difference > 0 else row.other
        rows.append(
            (
                pair,
                Number(str(row.n_train), row.n_train),
                number(row.difference, 4, name_of("difference", *place), (row.low, row.high)),
                p_value(row.p_holm, name_of("p_holm", *place)),
                p_value(row.p_bonferroni),
                better if row.p_holm < LEVEL else "\u2013",
                number(row.d_z, 2),
                number(row.detectable, 4, name_of("detectable", *place)),
                number(row.detectable_together, 4),
            )
        )
    columns = (
        "pair",
        "rows",
        f"difference [{experiment.unit}]",
        "p (Holm)",
        "p (Bonferroni)",
        "better",
        "d_z",
        f"detectable [{experiment.unit}]",
        "together",
    )
    note = (
        f"Paired over {len(experiment.replicates)} truths. Brackets: {len(rows)} intervals that hold "
        "together at 95% (Bonferroni). Holm: over all rows of this table; Bonferroni: p times their "
        "number. d_z: mean over standard deviation of the differences. Detectable: the smallest true "
        "difference that a single test at 5% finds with 80% power; together: that a test does with "
        "Bonferroni's share of the 5%."
    )
    return Table(f"{experiment.kind}: {score_words(experiment)}", columns, tuple(rows), note)


def anova_table(variances: Sequence[Variance]) -> Table:
    """Return the analyses of variance of all sources by one score."""
    rows: list[tuple[Cell, ...]] = []
    for variance in variances:
        for effect, row in variance.table.iterrows():
            place = (variance.experiment, effect)
            rows.append(
                (
                    variance.experiment.source,
                    str(effect),
                    f"{row['df']:.0f}, {row['df_error']:.0f}",
                    number(row["F"], 2, name_of("F", *place)),
                    p_value(row["p"], name_of("p", *place)),
                    number(row["epsilon_gg"], 3, name_of("epsilon_gg", *place)),
                    p_value(row["p_gg"], name_of("p_gg", *place)),
                    number(row["epsilon_hf"], 3, name_of("epsilon_hf", *place)),
                    p_value(row["p_hf"], name_of("p_hf", *place)),
                    number(row["eta2_g"], 3, name_of("eta2_g", *place)),
                )
            )
    first = variances[0].experiment
    learners = "; ".join(
        f"on {one.experiment.kind} {', '.join(one.experiment.learners)}" for one in variances
    )
    if len({one.experiment.learners for one in variances}) == 1:
        learners = ", ".join(first.learners)
    columns = ("truths", "effect", "df", "F", "p", "\u03b5 GG", "p GG", "\u03b5 HF", "p HF", "\u03b7\u00b2 G")
    note = (
        f"Learners: {learners}. Truths are the subjects, measured in every cell. \u03b5: how "
        "far from sphericity (1: not at all), by Greenhouse and Geisser (GG) and Huynh and Feldt (HF), "
        "with the p values that it corrects. \u03b7\u00b2 G: generalized eta squared, a share of variance."
    )
    return Table(f"Learner by size: {score_words(first)}", columns, tuple(rows), note)


def tally_table(differences: Sequence[Differences]) -> Table:
    """Return wins, ties and losses of every learner against every other, over all sources and sizes."""
    table = pd.concat([one.table.assign(sign=one.experiment.sign) for one in differences])
    learners = list(dict.fromkeys(key for one in differences for key in one.experiment.learners))
    rows: list[tuple[Cell, ...]] = []
    for learner in learners:
        cells: list[Cell] = [learner]
        total = [0, 0, 0]
        for other in learners:
            counts = _tally(table, learner, other)
            total = [a + b for a, b in zip(total, counts, strict=True)]
            cells.append("" if learner == other else "/".join(map(str, counts)))
        net = total[0] - total[2]
        rows.append((*cells, "/".join(map(str, total)), Number(f"{net:+d}", net)))
    note = (
        "Settings (kind of truth and size) in which the learner of the row is significantly better / not "
        "told apart / significantly worse than that of the column, by the paired tests with Holm's "
        "correction within each kind of truth."
    )
    return Table("Wins, ties, losses", ("learner", *learners, "all", "net"), tuple(rows), note)


def _tally(table: pd.DataFrame, learner: str, other: str) -> list[int]:
    counts = [0, 0, 0]
    for first, second, sign in ((learner, other, 1), (other, learner, -1)):
        own = table[(table["learner"] == first) & (table["other"] == second)]
        better = own["difference"] * own["sign"] * sign > 0
        sure = own["p_holm"] < LEVEL
        counts[0] += int((sure & better).sum())
        counts[1] += int((~sure).sum())
        counts[2] += int((sure & ~better).sum())
    return counts


def _plain(value: float, decimals: int) -> str:
    if math.isnan(value):
        return "\u2013"
    if math.isinf(value):
        return "\u221e" if value > 0 else "\u2212\u221e"
    return f"{value:.{decimals}f}".replace("-", "\u2212")
