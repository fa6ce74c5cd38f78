"""Departures of the reproduced papers, from the stores: counts, named cells, ablations.

`departures.py` writes it into the papers' pages.
"""

from collections.abc import Mapping, Sequence

import pandas as pd

from workbench import Results
from workbench.base.names import learner_name
from workbench.base.score_key import ScoreKey
from workbench.report.notes import number, table
from workbench.reproduction import Reproduction
from workbench.reproduction.ablations import SEPARATOR
from workbench.reproduction.judging.finding import AGREE, DIFFER, JUDGED, NEAR, UNKNOWN

#: Cells that a page names: the printed table by its first words, learner, data sets, and what is changed.
Named = tuple[str, str, str, Sequence[str]]
NAMED: Mapping[str, Sequence[Named]] = {
    "korb2001": [
        ("Table 1", "nb", "CH IR MU SO", ("pseudo_counts", "mdlp", "cut_on_all_rows")),
        ("Table 2", "nb", "HY IR SE", ("mdlp", "cut_on_all_rows")),
        ("Table 3", "nb", "HY IR SE", ("mdlp", "cut_on_all_rows", "rows_in_file_order")),
        ("Table 1", "mml_tree", "HD LA LY SO", ("alpha_one", "two_ply", "missing_as_value")),
        ("Table 1", "stump", "IR SE", ("two_bins", "five_bins", "small_3")),
        ("Table 3", "stump", "BC CH G2 GL HY MU V1", ("rows_shuffled",)),
        ("Table 2", "c45", "GL", ()),
    ],
    "hope2002": [
        ("Table 2", "nb", "CH MU", ("pseudo_counts", "m_1")),
        ("Table 6", "nb", "HY SE", ("cut_on_training_rows", "one_r")),
        ("Table 2", "camml", "CH G2 GL LA", ("fixed_point", "posterior_mean", "cut_on_all_rows")),
        ("Table 6", "c50", "BC G2 HD LY MU", ("smoothed", "no_global_pruning")),
    ],
    "hope2004_uci": [],
    "cleary1996": [
        ("Table 2: per cent", "foil", "CH", ("no_negation", "gain_1990", "allowance_1")),
        ("Table 2: per cent", "induct_dnf", "BC HO HY IR SE V1", ("limit_5_percent", "hypergeometric")),
        ("Table 2: per cent", "induct_rdr", "CH", ("limit_5_percent", "hypergeometric")),
        ("Table 2: bits", "induct_rdr", "CH", ("limit_5_percent", "hypergeometric")),
        ("Table 2: per cent", "one_r", "SE", ("sets_filled", "small_3")),
        ("Table 2: per cent", "c45", "HE HO SE", ("sets_filled",)),
    ],
}
FAR = 0.03  # of accuracies of 2004


def by_learner(cells: pd.DataFrame) -> pd.DataFrame:
    """Count the judged cells that concern a learner, alone or in a pair, and those that differ."""
    judged = cells[(cells["verdict"] != UNKNOWN) & (cells["learner"] != "")]
    both = pd.concat([judged["learner"], judged.loc[judged["other"] != "", "other"]])
    differs = judged["verdict"].loc[both.index] == DIFFER
    grouped = differs.groupby(both.to_numpy(), sort=False)
    return pd.DataFrame({"judged": grouped.size(), "differ": grouped.sum()})


def by_ablation(sensitivity: pd.DataFrame) -> pd.DataFrame:
    """Add up what each ablation moves in all tables."""
    return sensitivity.groupby("ablation", sort=False)[["cells", "moved_in", "moved_out"]].sum()


def mean_of(results: Results, score: ScoreKey, source: str, learner: str) -> float:
    """Return a learner's mean score on a data set over all parts of a study."""
    scores = results.scores(results.choose(score))
    own = scores[(scores["source"] == source) & (scores["learner"] == learner)]
    return float(own["value"].mean())


def named_cells(found: Reproduction, named: Sequence[Named]) -> str:
    """Write cells with their values under changed settings, as Markdown."""
    assert found.ablations is not None
    rows = []
    for start, learner, datasets, turned in named:
        tables = [one for one in found.printed.tables if one.statistic == "mean"]
        there = next(one for one in tables if one.name.startswith(start))
        own = found.cells[(found.cells["table"] == there.name) & (found.cells["learner"] == learner)]
        scale = 100.0 if there.scale == "percent" else 1.0
        for row in own[own["dataset"].isin(datasets.split())].itertuples():
            changed = {
                word: mean_of(found.ablations, there.score, row.dataset, f"{learner}{SEPARATOR}{word}")
                for word in turned
            }
            values = [f"{word} {number(scale * mean)}" for word, mean in changed.items()]
            own_values = [number(row.ours), number(row.printed), "; ".join(values)]
            rows.append([there.name, learner_name(learner), row.dataset, *own_values])
    heads = ["table", "learner", "data set", "ours", "printed", "ours with a setting changed"]
    return table(heads, rows, words=3)


def learners_table(found: Reproduction) -> str:
    """Write how many cells of each learner differ, in all and of each printed table, as Markdown."""
    kinds = {"all": found.cells, **dict(list(found.cells.groupby("table", sort=False)))}
    counts = {kind: by_learner(own) for kind, own in kinds.items()}
    counts = {kind: own for kind, own in counts.items() if len(own)}
    rows = [[learner_name(one), *(_of(own, one) for own in counts.values())] for one in counts["all"].index]
    return table(["learner", *counts], rows, words=1)


def _of(counts: pd.DataFrame, learner: str) -> str:
    if learner not in counts.index:
        return "\u2013"
    return f"{counts.loc[learner, 'differ']} of {counts.loc[learner, 'judged']}"


def numbers_2002(found: Reproduction) -> str:
    """Return further numbers of 2002: rewards below zero, pairs of C5.0, the order of learners."""
    cells = found.cells
    reward = cells[cells["table"].str.startswith("Table 6") & (cells["learner"] == "nb")]
    below = {word: int((reward[word] < 0).sum()) for word in ("ours", "printed")}
    c50 = concerns(cells, "c50") | concerns(cells, "c50_boosted")
    kinds = [c50, c50 & ~concerns(cells, "nb"), concerns(cells, "camml") & tested(cells, "Table 5", 1)]
    kinds += [tested(cells, "Table", 1), tested(cells, "Table", 0)]
    names = [
        "either C5.0",
        "either C5.0, without naive Bayes",
        "CaMML, printed differences of Kononenko and Bratko's reward",
        "printed as significant",
        "not printed as significant",
    ]
    rows = []
    for name, kind in zip(names, kinds, strict=True):
        verdicts = cells.loc[kind, "verdict"]
        rows.append([name, *((verdicts == word).sum() for word in JUDGED)])
    return "\n\n".join(
        [
            f"Of {len(reward)} data sets, naive Bayes has a reward below zero on {below['ours']} in ours and "
            f"on {below['printed']} in the paper.",
            "**Kinds of cells**",
            table(["cells of", *JUDGED], rows, words=1),
        ]
    )


def concerns(cells: pd.DataFrame, learner: str) -> pd.Series:
    """Return which cells concern a learner."""
    return (cells["learner"] == learner) | (cells["other"] == learner)


def tested(cells: pd.DataFrame, start: str, printed: int) -> pd.Series:
    """Return which cells are tests in tables of that name that are printed as significant (1) or not (0)."""
    tests = (cells["statistic"] == "significance") & cells["table"].str.startswith(start)
    return tests & (cells["printed"] == printed)


def numbers_2004(found: Reproduction) -> str:
    """Write further numbers of 2004: accuracies by learner, those far off, data sets of rewards."""
    accuracies = found.cells[found.cells["table"].str.startswith("Appendix A.2")]
    rows = [
        [
            learner_name(str(key)),
            *(f"{(own['verdict'] == word).sum()} of {len(own)}" for word in (AGREE, NEAR)),
            number(own["difference"].mean(), 4),
            number(own["difference"].abs().mean(), 4),
        ]
        for key, own in accuracies.groupby("learner", sort=False)
    ]
    far = accuracies[accuracies["difference"].abs() > FAR]
    cells = [
        [
            row.dataset,
            learner_name(row.learner),
            *map(number, (row.ours, row.printed, row.difference)),
            row.verdict,
        ]
        for row in far.sort_values("dataset").itertuples()
    ]
    rewards = found.cells[found.cells["table"].str.startswith("Appendix A.1")]
    differ = rewards[rewards["verdict"] == DIFFER]
    often = differ["dataset"].value_counts()
    near, of_j48 = (rewards["verdict"] == NEAR).sum(), concerns(differ, "j48").sum()
    return "\n\n".join(
        [
            "**Accuracies (A.2)**",
            table(["learner", AGREE, NEAR, "mean difference", "mean distance"], rows, words=1),
            f"**Accuracies more than {FAR:g} off**",
            table(["data set", "learner", "ours", "printed", "difference", "verdict"], cells, words=2),
            f"Of {len(rewards)} rewards less the mean of the learners (A.1), {len(differ)} differ and {near} "
            "are near. Four of the five of each data set are free. The data sets with more than one that "
            f"differs are {counted(often)}. Of those that differ, {of_j48} are J48's.",
        ]
    )


def counted(counts: pd.Series) -> str:
    """Write the counts above 1."""
    return ", ".join(f"{key} ({n})" for key, n in counts.items() if n > 1)


def numbers_1996(found: Reproduction) -> str:
    """Return further numbers of 1996: FOIL without CH, sets filled, the largest class of CH."""
    cells = found.cells
    correct = cells[cells["table"].str.startswith("Table 2: per cent") & (cells["dataset"] != "CH")]
    foil = correct[correct["learner"] == "foil"].set_index("dataset")["difference"]
    moved = by_ablation(found.sensitivity)
    filled = moved[moved.index.str.endswith("__sets_filled")].sum()
    hd = correct[correct["dataset"] == "HD"]["difference"]
    share = cells[(cells["statistic"] == "size") & (cells["dataset"] == "CH")].iloc[0]
    return (
        f"Without CH, FOIL's per cent correct differs by at most {number(foil.abs().max(), 1)} points, on "
        f"{foil.abs().idxmax()}. On HD, ours minus the published values is {number(hd.min(), 1)} to "
        f"{number(hd.max(), 1)} points. Sets filled by the programs' own rule move {filled['moved_in']} "
        f"cells in and {filled['moved_out']} out. The largest class of CH has {number(share['ours'], 2)}% "
        f"of the rows, and {number(share['printed'], 1)}% in the paper."
    )


EXTRA = {"hope2002": numbers_2002, "hope2004_uci": numbers_2004, "cleary1996": numbers_1996}
