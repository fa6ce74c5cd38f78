"""Tables of analyses, by training size or by data set, for reports and for the terminal."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.analyses import BestMap, BiasVariance, Comparison, Regret, SampleComplexity
from workbench.analyses._shared.subjects import behind_number, truths_of
from workbench.base.names import learner_name, source_name
from workbench.base.text import and_of, capitalized, probability_words
from workbench.report.table import TYPESET, Cell, Number, Signs, Table, number, p_value, whole
from workbench.report.words import name_of

if TYPE_CHECKING:
    import pandas as pd

    from workbench.base.score_key import ScoreKey
    from workbench.comparisons import PairTest

__all__ = [
    "best_table",
    "bias_table",
    "means_tables",
    "needed_table",
    "over_kinds_table",
    "pairs_legend",
    "pairs_table",
    "regret_table",
    "statistics_of",
]

PARTS = ("loss", "bias", "variance")
#: A loss below this is only rounding and has no shares.
SMALLEST = 0.5e-4
#: Columns of `regret_table` and what stands over them; those that are known nowhere are left out.
LOST = {
    "to_truth": "lost to the truth [{unit}]",
    "irreducible": "irreducible",
    "structure_regret": "structure regret",
    "learner_regret": "learner regret",
    "regret": "regret",
}
#: The same in a terminal.
BRIEF = {
    "to_truth": "to truth",
    "irreducible": "irreducible",
    "structure_regret": "structure",
    "learner_regret": "learner's",
    "regret": "regret",
}


def best_table(best: BestMap) -> Table:
    """Return the best learner and the second by source and size, with their probabilities."""
    experiments = {one.source: one for one in best.experiments}
    first = best.experiments[0]
    known = bool(best.table["p_within"].notna().any())
    rows: list[tuple[Cell, ...]] = []
    for row in best.table.itertuples():
        one = experiments[row.source]
        p_best, p_second = (
            Number(float(p), name=name_of("p_best", one, learner, row.n_train), words=probability_words(p))
            for learner, p in ((row.best, row.p_best), (row.second, row.p_second))
        )
        # without a probability none of the others can be the best
        second = learner_name(row.second) if row.p_second > 0 else "\u2013"
        close = [_p_within(row.p_within, name_of("p_within", one, row.best, row.n_train))] if known else []
        place = (source_name(row.source), whole(row.n_train))
        rows.append((*place, learner_name(row.best), p_best, *close, second, p_second, whole(row.n)))
    unit = behind_number(first.unit, first.score.metric)
    close_to = [f"within {best.within:g}{unit} of the optimum"] if known else []
    columns = ("source", "rows", "best", "its probability", *close_to)
    columns += ("second", "probability of the second", "truths")
    note = "Probability: that the learner has the best mean of all."
    if known:
        note += f" Within {best.within:g}{unit} of the optimum: probability for the mean of the best learner."
    return Table(f"The best learner by {first.score.words}", columns, tuple(rows), note)


def _p_within(p: float, name: str) -> Number:
    return Number(float(p), 3, name, words="" if np.isnan(p) else probability_words(p))


def regret_table(found: Regret, *, brief: bool = False) -> Table:
    """Return what learners lose to the truth, by source and size; a brief one fits a terminal."""
    experiments = {one.source: one for one in found.experiments}
    first, table = found.experiments[0], found.table
    shown = _parts_of(table, found)
    with_ends = shown[-1:] if brief else shown
    sampled = not brief and bool((table["mc_error"] > 0).any())
    rows: list[tuple[Cell, ...]] = []
    for row in table.to_dict("records"):
        one, place = experiments[row["source"]], (row["learner"], row["n_train"])
        cells = [_lost(row, name, name_of(name, one, *place), has_ends=name in with_ends) for name in shown]
        cells += [number(row["mc_error"], 4)] * sampled + [whole(row["n"])] * (not brief)
        where = (source_name(row["source"]), whole(row["n_train"]))
        rows.append((*where, learner_name(row["learner"]), *cells))
    columns = ("source", "rows", "learner", *_heads(shown, first.unit, brief=brief))
    columns += ("Monte Carlo error of the optimum",) * sampled + ("truths",) * (not brief)
    note = (
        "Regret: the loss relative to the optimum with the same training rows. Brackets: 95% intervals, "
        "simultaneous over the learners and sizes of a source (Bonferroni)."
    )
    unit = f" [{first.unit}]" if brief else ""
    return Table(f"Regret by {first.score.words}{unit}", columns, tuple(rows), note)


def over_kinds_table(found: Regret, *, brief: bool = False) -> Table | None:
    """Return the means over kinds of what learners lose; None if they are of one kind."""
    table = found.over_kinds
    if table.empty:
        return None
    first = found.experiments[0]
    shown = _parts_of(table, found)
    with_ends = shown[-1:] if brief else shown
    place = f"over_kinds|{first.score}"
    rows: list[tuple[Cell, ...]] = []
    for row in table.to_dict("records"):
        where = f"{place}|{row['learner']}|{row['n_train']}"
        cells = [_lost(row, name, f"{name}|{where}", has_ends=name in with_ends) for name in shown]
        rows.append((whole(row["n_train"]), learner_name(row["learner"]), *cells))
    n_kinds = int(table["n_kinds"].iloc[0])
    note = (
        f"Means over {n_kinds} kinds of truth with equal weights. Intervals are about these kinds, and "
        f"simultaneous over the {len(rows)} rows."
    )
    without = found.without_optimum
    if without:
        note += f" Without {and_of(list(map(source_name, without)))}, for which there is no optimum."
    which = f"the {n_kinds} kinds with an optimum" if without else "all kinds"
    columns = ("rows", "learner", *_heads(shown, first.unit, brief=brief))
    unit = f" [{first.unit}]" if brief else ""
    return Table(f"Over {which}, by {first.score.words}{unit}", columns, tuple(rows), note)


def _parts_of(table: "pd.DataFrame", found: Regret) -> list[str]:
    """Return the columns that are known somewhere; without the mix the learner's own part is the regret."""
    return [
        name for name in LOST if table[name].notna().any() and (found.has_mix or name != "learner_regret")
    ]


def _heads(shown: Sequence[str], unit: str, *, brief: bool) -> list[str]:
    return [BRIEF[name] if brief else LOST[name].format(unit=unit) for name in shown]


def _lost(row: dict[Hashable, Any], name: str, full_name: str, *, has_ends: bool) -> Number:
    start = "" if name == "regret" else f"{name}_"
    low, high = (row[f"{start}low"], row[f"{start}high"]) if has_ends else (np.nan, np.nan)
    return Number(float(row[name]), 4, full_name, low, high, "zero")


def needed_table(found: SampleComplexity, *, one: bool = False) -> Table:
    """Return the rows that each learner needs for each share, with intervals; `one` names its only source."""
    experiments = {one.source: one for one in found.experiments}
    rows: list[tuple[Cell, ...]] = []
    for (source, learner), own in found.table.groupby(["source", "learner"], sort=False):
        cells: list[Cell] = []
        for row in own.itertuples():
            place = (row.source, row.learner, row.share)
            low, high = (found.label(place, end) for end in (row.low, row.high))
            name = name_of("rows_needed", experiments[source], learner, row.share)
            cells.append(Number(row.n_train, 0, name, row.low, row.high, words=row.label, ends=(low, high)))
        rows.append((source_name(source), learner_name(learner), *cells))
    shares = dict.fromkeys(found.table["share"])
    columns = ("source", "learner", *[f"rows for {share:.0%}" for share in shares])
    first = found.experiments[0]
    whose = f"{first.kind}: rows" if one else "Rows"
    note = "Brackets: 95% intervals. > and <=: beyond the sizes of the study."
    return Table(f"{whose} needed by {first.score.words}", columns, tuple(rows), note)


def bias_table(found: BiasVariance, source: str | None = None) -> Table:
    """Return loss, bias and variance by learner and size, with intervals, of one source or of all."""
    rows: list[tuple[Cell, ...]] = []
    for row in found.table.to_dict("records"):
        if source is not None and row["source"] != source:
            continue
        place = "|".join(map(str, (*found.score, row["source"], row["learner"], row["n_train"])))
        parts = [
            Number(float(row[what]), 4, f"{what}|{place}", row[f"{what}_low"], row[f"{what}_high"], "zero")
            for what in PARTS
        ]
        nothing = np.isnan(row["variance_share"]) or abs(row["loss"]) < SMALLEST
        share = Number(np.nan if nothing else row["variance_share"], form="percent")
        names = (source_name(row["source"]), learner_name(row["learner"]))
        rows.append((*names, whole(row["n_train"]), *parts, share, whole(row["n"])))
    unit = found.unit
    columns = ("source", "learner", "rows", f"loss [{unit}]", f"bias [{unit}]", f"variance [{unit}]")
    of = f"{truths_of(source)}: " if source is not None else ""
    title = f"{of}{found.name}, split into bias and variance"
    note = "Brackets: single 95% intervals of the mean between truths."
    return Table(title, (*columns, "share of variance", "truths"), tuple(rows), note)


def means_tables(tests: "Mapping[ScoreKey, Sequence[Comparison]]", *, digits: int = 4) -> tuple[Table, ...]:
    """Return means and standard deviations over blocks: a table a score, or of one data set one for all."""
    found = tuple(tests.values())
    if max(map(len, found)) > 1:
        return tuple(_of_sources(one, digits) for one in found)
    return (_of_source([one for (one,) in found], digits),)


def _of_sources(tests: Sequence[Comparison], digits: int) -> Table:
    """Return the means by one score: data sets down, learners across."""
    first = tests[0].scores
    rows: list[tuple[Cell, ...]] = []
    for one in tests:
        means = one.scores.means.iterrows()
        rows.append((one.scores.source, *[_mean(one, str(key), row, digits) for key, row in means]))
    columns = (first.by.source, *map(learner_name, (*first.wanted, *first.others)))
    note = f"In {first.metric.measure}."
    return Table(first.score.words, columns, tuple(rows), note, n_grey=len(first.others))


def _of_source(tests: Sequence[Comparison], digits: int) -> Table:
    """Return the means on one data set: learners down, scores across."""
    first = tests[0].scores
    rows: list[tuple[Cell, ...]] = []
    for learner in (*first.wanted, *first.others):
        means = [(one, one.scores.means.loc[learner]) for one in tests]
        rows.append((learner_name(learner), *[_mean(one, learner, row, digits) for one, row in means]))
    keys = [one.scores.score for one in tests]
    metrics = [key.metric for key in keys]
    columns = [key.words if metrics.count(key.metric) > 1 else key.name for key in keys]
    measures = {one.scores.score.name: one.scores.metric.measure for one in tests}
    note = " ".join(f"{capitalized(name)}: {measure}." for name, measure in measures.items())
    return Table(f"Means on {first.source}", ("learner", *columns), tuple(rows), note)


def _mean(one: Comparison, learner: str, row: "pd.Series", digits: int) -> Number:
    return Number(
        float(row["mean"]), digits, name_of("mean", one.scores, learner), spread=float(row["sd"]),
        spread_digits=3, strong=learner in one.best, n_infinite=int(row["n_infinite"]),
    )  # fmt: skip


def pairs_table(tests: Sequence[Comparison], signs: Signs = TYPESET) -> Table:
    """Return every pair of learners on every data set: difference, tests, who is better."""
    first = tests[0].scores
    rows = tuple(
        _pair(one, row, winner, signs)
        for one in tests
        for row, winner in zip(one.table.to_dict("records"), one.winners(), strict=True)
    )
    statistics = first.test.statistics.values()
    columns = (first.by.source, "pair", "difference", *statistics, "p (Holm)", "p (Bonferroni)", "better")
    return Table(f"{first.score.words}: {first.metric.measure}", columns, rows)


def pairs_legend(one: Comparison) -> tuple[str, ...]:
    """Explain the columns of `pairs_table`."""
    return (
        f"difference: mean over {one.scores.by.many} of the first minus the second",
        *one.scores.test.legend,
        f"better: by {one.deciding}",
        "p (Bonferroni): p of the same test times the number of pairs, a simpler bound",
    )


def statistics_of(row: dict[Hashable, Any], test: "PairTest") -> tuple[Cell, ...]:
    """Return the statistics that a test reports."""
    return tuple(
        p_value(row[name]) if name.startswith("p") else number(row[name], 2) for name in test.statistics
    )


def _pair(one: Comparison, row: dict[Hashable, Any], winner: str | None, signs: Signs) -> tuple[Cell, ...]:
    scores = one.scores
    place = (scores, row["learner"], row["other"])
    return (
        scores.source,
        f"{learner_name(row['learner'])} {signs.minus} {learner_name(row['other'])}",
        number(row["difference"], 4, name_of("difference", *place)),
        *statistics_of(row, scores.test),
        p_value(row["p_holm"], name_of("p_holm", *place)),
        p_value(row["p_bonferroni"]),
        learner_name(winner) if winner else signs.missing,
    )
