"""Write the tables of the notes: what nobody could have known, and the regret of every learner.

Run from the root of the repository, after the four studies of this folder:

    python experiments/studies/attainable/write_notes.py STORE --mixtures STORE --wrong-law STORE \
        --gaussian STORE --to NOTES.md --figure FIGURE.png

Writes between the markers of the notes, and the figure.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
from pandas.api.typing import SeriesGroupBy

from workbench import Results, load
from workbench.analyses import Regret
from workbench.report.notes import table, write_section

SCORE, REWARD = "log_loss//exact/none", "ir_b//exact/none"
SAMPLED, QUADRATIC = "log_loss//test/2002", "quadratic_loss//test/none"
#: Which learner is the optimum of a kind by a theorem.
THEOREMS = {"naive_bayes": "nb", "tan": "averaged_tan", "dag": "averaged_dag"}
#: Learners in the figure; the tables have all.
DRAWN = ("nb", "tan", "aode", "camml", "averaged_tan", "averaged_assumptions")


def tables(results: Results, title: str, score: str = SCORE) -> Iterator[str]:
    """Yield a table for each kind of truth: a row for each size, a column for each learner."""
    found = Regret.of_results(results, score=score)
    n_intervals = len(found.table["learner"].unique()) * len(found.table["n_train"].unique())
    unit = f"{found.experiments[0].unit}; " if found.experiments[0].unit else ""
    cells = results.cells()
    for source, own in found.table.groupby("source", sort=False):
        n = own["n"].max()
        yield f"**{source}: {title}, {n} truths** ({unit}± simultaneous 95%, {n_intervals} intervals)\n"
        of_optimum = cells[(cells["source"] == source) & (cells["learner"] == "optimal")]
        yield _table(own, of_optimum.groupby("n_train")["r_hat"]) + "\n"


def over_kinds(results: Results, title: str, score: str = SCORE) -> Iterator[str]:
    """Yield a table over all kinds: what the mix leaves of the regret of each learner."""
    found = Regret.of_results(results, score=score).over_kinds
    n_kinds, n_intervals = found["n_kinds"].iloc[0], len(found)
    yield f"**Over {n_kinds} kinds: {title}** (bits; ± simultaneous 95%, {n_intervals} intervals)\n"
    learners, rows = list(found["learner"].unique()), []
    for size, own in found.groupby("n_train"):
        cells = [_interval(own.iloc[0], name) for name in ("irreducible", "structure_regret")]
        rows.append([size, *cells, *(_interval(_of(own, key), "learner_regret") for key in learners)])
    yield table(["rows", "irreducible", "structure regret", *learners], rows, words=0) + "\n"


def wrong_laws(results: Results) -> Iterator[str]:
    """Yield a table for each kind: the regret of each learner by concentration and size."""
    found = Regret.of_results(results, score=SCORE).table
    found[["kind", "concentration"]] = found["source"].str.rsplit("_", n=1, expand=True)
    learners = list(found["learner"].unique())
    n_intervals = len(learners) * len(found["n_train"].unique())
    for kind, own in found.groupby("kind", sort=False):
        yield f"**{kind}: regret by the concentration of its rows, {own['n'].max()} truths each** (bits;"
        yield f"± simultaneous 95%, {n_intervals} intervals for each concentration)\n"
        rows = []
        for place, part in own.groupby(["concentration", "n_train"]):
            first = part.iloc[0]
            cells = [f"{first['optimal']:.4f}", _interval(first, "irreducible")]
            rows.append([*place, *cells, *(_regret(_of(part, key)) for key in learners)])
        yield table(["concentration", "rows", "optimal", "irreducible", *learners], rows, words=0) + "\n"


def _table(own: pd.DataFrame, r_hat: SeriesGroupBy) -> str:
    learners = list(own["learner"].unique())
    mixed = own["structure_regret"].notna().any()
    sampled = own["mc_error"].max() > 0
    head = ["rows", "truth", "optimal", *(["mix"] if mixed else []), "irreducible"]
    head += [*(["structure regret"] if mixed else []), *learners]
    head += ["MC error", "R-hat: median, greatest"] if sampled else []
    rows = []
    for size, part in own.groupby("n_train"):
        first = part.iloc[0]
        cells = [size, *(f"{first[name]:.4f}" for name in ("truth", "optimal"))]
        cells += [f"{first['mix']:.4f}"] if mixed else []
        cells += [_interval(first, "irreducible")] + ([_interval(first, "structure_regret")] if mixed else [])
        cells += [_regret(_of(part, learner)) for learner in learners]
        if sampled:
            rest = r_hat.get_group(size)
            cells += [f"{first['mc_error']:.5f}", f"{rest.median():.2f}, {rest.max():.2f}"]
        rows.append(cells)
    return table(head, rows, words=0)


def _of(rows: pd.DataFrame, learner: str) -> pd.Series:
    return rows[rows["learner"] == learner].iloc[0]


def _interval(row: pd.Series, name: str) -> str:
    return f"{row[name]:z.4f} ±{(row[f'{name}_high'] - row[f'{name}_low']) / 2:.4f}"


def _regret(row: pd.Series) -> str:
    if THEOREMS.get(str(row["source"]).removesuffix("_1")) == row["learner"]:
        assert abs(row["regret"]) < 1e-9
        return "**0**"
    mark = " (above)" if row["above"] else ""
    return f"{row['regret']:z.4f} ±{(row['high'] - row['low']) / 2:.4f}{mark}"


def main() -> None:
    """Read the stores; write tables and figure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("store", type=Path)
    for name in ("--mixtures", "--wrong-law", "--gaussian", "--to"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--figure", type=Path)
    given = parser.parse_args()
    study, mixtures, gaussian = (load(one) for one in (given.store, given.mixtures, given.gaussian))
    lines = [
        *over_kinds(study, "log loss to the mix, 200 truths of each"),
        *over_kinds(mixtures, "log loss to the mix, 50 truths of each, with mixtures"),
        *tables(study, "regret in log loss, with the mix of four kinds"),
        *tables(study, "regret in IR_B, with the mix of four kinds", REWARD),
        *tables(mixtures, "regret in log loss, with the mix of five kinds"),
        *wrong_laws(load(given.wrong_law)),
        *tables(gaussian, "regret in log loss on 1000 test rows, after the cut-off of 2002", SAMPLED),
        *tables(gaussian, "regret in quadratic loss on 1000 test rows", QUADRATIC),
    ]
    write_section(given.to, "\n".join(lines), stays=["Over 4 kinds"])
    if given.figure:
        drawn = [key for key in DRAWN if key in study.study.learner_keys]
        study.plot("regret", score=SCORE, learners=drawn).save(given.figure)


if __name__ == "__main__":
    main()
