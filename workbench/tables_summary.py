"""Results on tables as people read them: tables down, learners across, and who beats whom."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from workbench import catalogue
from workbench.analyses import Resampled, resampled_of
from workbench.results import Results
from workbench.scores import ScoreKey, preference

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "answer",
    "beaten_frame",
    "headline_keys",
    "means_frame",
    "print_tables",
    "tally_frame",
    "title_of",
]

TESTS = {
    "five_by_two": "Dietterich's 5x2cv t test at 5%, uncorrected",
    "corrected": "the corrected resampled t test (Nadeau and Bengio) at 5%, without Holm's correction",
}


def headline_keys(results: Results) -> list[ScoreKey]:
    """Choose one score a metric: the reward first where there is one.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of ScoreKey
        Without cut-off where there is one without; the first after a cut-off beside it where a learner's mean
        is infinite.
    """
    keys = [ScoreKey(*key) for key in results.score_keys]
    metrics = sorted(dict.fromkeys(key.metric for key in keys), key=lambda metric: metric != "ir_b")
    chosen = []
    for metric in metrics:
        own = sorted((key for key in keys if key.metric == metric), key=preference)
        chosen.append(own[0])
        clipped = [key for key in own if key == own[0]._replace(cutoff=key.cutoff) and key.cutoff != "none"]
        if clipped and np.isinf(results.scores(own[0])["value"]).any():
            chosen.append(clipped[0])
    return chosen


def title_of(key: ScoreKey) -> str:
    """Name a score of test rows in words.

    Examples
    --------
    >>> title_of(ScoreKey("ir_b", "training", "test", "2002"))
    'ir_b, prior training, cut-off 2002'
    """
    words = [f"prior {key.prior}"] * (key.prior != "none")
    words += [f"cut-off {key.cutoff}"] * (key.cutoff != "none")
    return ", ".join([key.metric, *words])


def means_frame(tests: Sequence[Resampled]) -> pd.DataFrame:
    """Give the mean over parts of each learner on each table as text.

    Parameters
    ----------
    tests : sequence of Resampled

    Returns
    -------
    DataFrame of str
        Index table, columns learners; "-" where there is no score, the number of parts behind an infinite
        mean.
    """
    rows = {one.source: {key: _mean(row) for key, row in one.means.iterrows()} for one in tests}
    return pd.DataFrame.from_dict(rows, orient="index").fillna("-")


def beaten_frame(tests: Sequence[Resampled], *, p: str = "p") -> pd.DataFrame:
    """Give the papers' form: in each cell, the learners that are significantly worse than the column's.

    Parameters
    ----------
    tests : sequence of Resampled
    p : {"p", "p_F", "p_holm"}
        Which test decides.

    Returns
    -------
    DataFrame of str
        Index table, columns learners.
    """
    rows = {one.source: {key: ", ".join(one.beaten_by(key, p=p)) for key in one.means.index} for one in tests}
    return pd.DataFrame.from_dict(rows, orient="index").fillna("")


def tally_frame(tests: Sequence[Resampled], *, p: str = "p") -> pd.DataFrame:
    """Count wins, ties and losses of each learner over all tables and other learners.

    Parameters
    ----------
    tests : sequence of Resampled
    p : {"p", "p_F", "p_holm"}

    Returns
    -------
    DataFrame
        Index learner; columns win, tie, loss. Pairs that could not be tested count nowhere.
    """
    learners = list(dict.fromkeys(key for one in tests for key in one.means.index))
    counts = pd.DataFrame(0, index=pd.Index(learners, name="learner"), columns=["win", "tie", "loss"])
    for one in tests:
        beaten = {key: one.beaten_by(key, p=p) for key in one.means.index}
        for a, b in zip(one.table["learner"], one.table["other"], strict=True):
            winner, loser = (a, b) if b in beaten[a] else (b, a) if a in beaten[b] else (None, None)
            if winner is None:
                counts.loc[[a, b], "tie"] += 1
            else:
                counts.loc[winner, "win"] += 1
                counts.loc[loser, "loss"] += 1
    return counts


def answer(tests: Sequence[Resampled]) -> str:
    """Say in one sentence who wins most, how often, and by which test.

    Parameters
    ----------
    tests : sequence of Resampled

    Returns
    -------
    str
    """
    score, counts = tests[0].score, tally_frame(tests)
    net = counts["win"] - counts["loss"]
    best = [key for key in counts.index if net[key] == net.max()]
    n = f"{len(tests)} table{'s' * (len(tests) != 1)}"
    told = "; ".join(
        f"{key} {win}/{tie}/{loss}"
        for key, (win, tie, loss) in zip(counts.index, counts.to_numpy(), strict=True)
    )
    cut = "" if score.cutoff == "none" else f" after the cut-off of {score.cutoff}"
    if not counts.to_numpy().sum():
        return f"By {score.metric}{cut} on {n} no two learners could be tested."
    if not counts["win"].any():
        who = "no learner is told from another"
    else:
        who = f"{' and '.join(best)} win{'s' * (len(best) == 1)} most against the others"
    return f"By {score.metric}{cut} on {n} {who} (wins/ties/losses: {told}), by {TESTS[tests[0].test]}."


def print_tables(results: Results, console: "Console") -> None:
    """Print means, who beats whom, and counts, for each metric.

    Parameters
    ----------
    results : Results
    console : rich Console
    """
    notes: dict[str, None] = {}
    for key in headline_keys(results):
        tests = resampled_of(results, **key._asdict())
        metric = catalogue.find("metrics", key.metric)
        title = title_of(key)
        unit = f"{metric.unit}, {metric.direction} is better"
        _print(console, f"{title}: mean over parts; {unit}", means_frame(tests))
        _print(console, f"{title}: the learners that the column's beats", beaten_frame(tests))
        notes |= dict.fromkeys(_notes(tests))
    for line in notes:
        console.print(line, highlight=False, markup=False)
    console.print(f"beats: by {TESTS[tests[0].test]}, table by table", highlight=False)


def _print(console: "Console", title: str, frame: pd.DataFrame) -> None:
    from rich import box
    from rich.table import Table

    lines = box.SIMPLE_HEAD if console.is_terminal else box.ASCII2
    table = Table(title=title, title_justify="left", box=lines)
    table.add_column("table", no_wrap=True)
    for name in frame:
        table.add_column(str(name), justify="right", no_wrap=True)
    for source, row in frame.iterrows():
        table.add_row(str(source), *map(str, row))
    console.print(table)


def _notes(tests: Sequence[Resampled]) -> Iterator[str]:
    for one in tests:
        yield from one.notes


def _mean(row: pd.Series) -> str:
    if not row["n"]:
        return "-"
    if np.isinf(row["mean"]):
        return f"{row['mean']:.0f} ({int(row['n_infinite'])})"
    return f"{row['mean']:.4f}"
