"""Compare the accuracies of a store with Appendix A.2 of Hope and Korb (2004).

Run from the root of the repository, after the study:

    python experiments/studies/uci_accuracy/write_notes.py uci_accuracy.db PRINTED.csv \
        --to experiments/studies/uci_accuracy/notes.md

PRINTED.csv has the columns dataset, learner, value with the paper's names. The paper has one study per data
set, of five replications of two-fold cross-validation. The store has many replications, which show how far
one such study lands from another: sd is the replications' standard deviation over the root of five. The
difference between the paper and our mean over n times five replications has the standard error
sd sqrt(1 + 1 / n).

Writes two tables between the markers of the notes: all data sets and learners, with differences beyond 0.03
or 2.5 standard errors in bold; and these alone, NB with cuts left out, with the lowest and the highest of our
n studies of five.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from workbench import Results, load
from workbench.report.notes import table, write_section

BEYOND, BEYOND_ERRORS = 0.03, 2.5
REPLICATIONS = 5  # of the printed study
#: Our key to the paper's name.
NAMES = {
    "nb": "Naive Bayes",
    "nb_mdlp": "Naive Bayes",
    "tan": "TAN",
    "tan_superparent": "TAN",
    "aode": "AODE",
}
OTHER = ("nb_mdlp",)  # too different from the paper for a list of differences


def by_study(results: Results) -> pd.DataFrame:
    """Return one row per data set and learner: mean, sd of a study of five, lowest and highest study."""
    scores = results.scores(results.choose("accuracy")).astype({"source": "str", "learner": "str"})
    halves = scores.groupby(["source", "learner", "replicate"], sort=False)["value"]
    replications = halves.mean().reset_index()
    n_studies = replications["replicate"].nunique() // REPLICATIONS
    replications = replications[replications["replicate"] < n_studies * REPLICATIONS]
    keys = ["source", "learner"]
    one = replications.groupby(keys, sort=False)["value"]
    fives = replications.assign(study=replications["replicate"] // REPLICATIONS)
    studies = fives.groupby([*keys, "study"], sort=False)["value"].mean().groupby(keys, sort=False)
    return pd.DataFrame(
        {
            "ours": one.mean(),
            "sd": one.std() / np.sqrt(REPLICATIONS),
            "lowest": studies.min(),
            "highest": studies.max(),
            "n_studies": n_studies,
        }
    ).reset_index()


def joined(ours: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Join the published value, the difference and its standard errors to ours."""
    named = ours.assign(name=ours["learner"].map(NAMES))
    both = named.merge(
        printed.rename(columns={"dataset": "source", "learner": "name", "value": "printed"}),
        on=["source", "name"],
    )
    both["difference"] = both["ours"] - both["printed"]
    both["errors"] = both["difference"] / (both["sd"] * np.sqrt(1 + 1 / both["n_studies"]))
    far, unlikely = both["difference"].abs() > BEYOND, both["errors"].abs() > BEYOND_ERRORS
    return both.assign(far=far, outlier=far | unlikely)


def whole(both: pd.DataFrame) -> str:
    """Write every data set and learner as Markdown."""
    learners = [key for key in NAMES if key in set(both["learner"])]
    rows = [
        [source, *(_cell(own.set_index("learner"), key) for key in learners)]
        for source, own in both.groupby("source", sort=False)
    ]
    grouped = both.groupby("learner")
    for what, values in {
        "mean difference": grouped["difference"].mean().map("{:+.4f}".format),
        "mean distance": grouped["difference"].agg(lambda d: d.abs().mean()).map("{:.4f}".format),
        "beyond 0.03": grouped["far"].sum().astype(str),
        "beyond 2.5 errors": grouped["errors"].agg(lambda e: (e.abs() > BEYOND_ERRORS).sum()).astype(str),
    }.items():
        rows.append([what, *(values[key] for key in learners)])
    return table(["data set", *learners], rows, words=1)


def outliers(both: pd.DataFrame) -> str:
    """Write the outliers as Markdown, learner by learner."""
    rows = [
        [key, row.source, f"{row.ours:.3f}", f"{row.sd:.3f}", f"{row.lowest:.3f}, {row.highest:.3f}",
         f"{row.printed:.3f}", f"{row.difference:+.3f}", f"{row.errors:+.1f}"]
        for key in NAMES if key not in OTHER
        for row in both[(both["learner"] == key) & both["outlier"]].itertuples()
    ]  # fmt: skip
    head = ["learner", "data set", "ours", "sd", "lowest, highest", "printed", "difference", "errors"]
    return table(head, rows, words=2)


def _cell(cells: pd.DataFrame, learner: str) -> str:
    if learner not in cells.index:
        return "-"
    row = cells.loc[learner]
    gap = f"{row['difference']:+.3f} ({row['errors']:+.1f})"
    return f"{row['ours']:.3f} {row['printed']:.3f} " + (f"**{gap}**" if row["outlier"] else gap)


def main() -> None:
    """Read the store and the paper, and write the tables into the notes, or print them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("printed", type=Path)
    parser.add_argument(
        "--to", type=Path, help="notes with the generated-section markers; without it the tables are printed"
    )
    asked = parser.parse_args()
    both = joined(by_study(load(asked.store)), pd.read_csv(asked.printed))
    n_studies = both["n_studies"].iloc[0]
    tables = (
        f"**Accuracies: ours (mean over {n_studies} studies of five), printed, difference (in standard "
        f"errors)**\n\n{whole(both)}\n\n"
        f"**Differences beyond {BEYOND} or {BEYOND_ERRORS} standard errors**\n\n{outliers(both)}"
    )
    if asked.to:
        write_section(asked.to, tables, stays=["Accuracies"])
    else:
        print(tables)


if __name__ == "__main__":
    main()
