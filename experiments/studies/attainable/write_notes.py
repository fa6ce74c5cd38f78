"""Write the tables of the notes: what nobody could have known, and the regret of every learner.

Run from the root of the repository, after the three studies of this folder:

    python experiments/studies/attainable/write_notes.py STORE --mixtures STORE --gaussian STORE \
        --to NOTES.md --figure FIGURE.png

Writes between the markers of the notes, and the figure.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from workbench import Results, load
from workbench.analyses import Regret
from workbench.report.renderers.markdown import between_markers

SCORE, SAMPLED = "log_loss//exact/none", "log_loss//test/2002"
#: Learners in the figure; the tables have all.
DRAWN = ("nb", "tan", "aode", "camml", "averaged_tan", "averaged_assumptions")


def tables(results: Results, title: str, score: str = SCORE) -> Iterator[str]:
    """Yield a table for each kind of truth: a row for each size, a column for each learner."""
    table = Regret.of_results(results, score=score).table
    n_intervals = len(table["learner"].unique()) * len(table["n_train"].unique())
    for source, own in table.groupby("source", sort=False):
        n = own["n"].max()
        yield f"**{source}: {title}, {n} truths** (bits; ± simultaneous 95%, {n_intervals} intervals)\n"
        yield from _lines(own)
        yield ""


def _lines(own: pd.DataFrame) -> Iterator[str]:
    learners = list(own["learner"].unique())
    mixed = own["not_knowing"].notna().any()
    sampled = own["mc_error"].max() > 0
    head = ["rows", "truth", "optimal", *(["mix"] if mixed else []), "irreducible"]
    head += [*(["not knowing the kind"] if mixed else []), *learners, *(["MC error"] if sampled else [])]
    yield f"| {' | '.join(head)} |"
    yield f"|{'---:|' * len(head)}"
    for size, rows in own.groupby("n_train"):
        first = rows.iloc[0]
        cells = [f"{size}", *(f"{first[name]:.4f}" for name in ("truth", "optimal"))]
        cells += [f"{first['mix']:.4f}"] if mixed else []
        cells += [_interval(first, "irreducible")] + ([_interval(first, "not_knowing")] if mixed else [])
        cells += [_regret(rows[rows["learner"] == learner].iloc[0]) for learner in learners]
        cells += [f"{first['mc_error']:.5f}"] if sampled else []
        yield f"| {' | '.join(cells)} |"


def _interval(row: pd.Series, name: str) -> str:
    return f"{row[name]:.4f} ±{(row[f'{name}_high'] - row[f'{name}_low']) / 2:.4f}"


def _regret(row: pd.Series) -> str:
    if abs(row["regret"]) < 1e-9:
        return "**0**"
    mark = " (above)" if row["above"] else ""
    return f"{row['regret']:z.4f} ±{(row['high'] - row['low']) / 2:.4f}{mark}"


def main() -> None:
    """Read the stores; write tables and figure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("--mixtures", type=Path, required=True)
    parser.add_argument("--gaussian", type=Path, required=True)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--figure", type=Path)
    given = parser.parse_args()
    study = load(given.store)
    lines = [
        *tables(study, "regret"),
        *tables(load(given.mixtures), "regret, with the mix of five kinds"),
        *tables(load(given.gaussian), "regret on 1000 test rows, after the cut-off of 2002", SAMPLED),
    ]
    text = given.to.read_text(encoding="utf-8")
    given.to.write_text(between_markers(text, "\n".join(lines)), encoding="utf-8")
    if given.figure:
        drawn = [key for key in DRAWN if key in study.study.learner_keys]
        study.plot("regret", score=SCORE, learners=drawn).save(given.figure)


if __name__ == "__main__":
    main()
