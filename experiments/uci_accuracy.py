"""Hold the accuracies of a store against those that Hope and Korb (2004) print in Appendix A.2.

Usage: python experiments/uci_accuracy.py uci_accuracy.db PRINTED.csv

PRINTED.csv has the columns dataset, learner, value with the paper's names. Prints a Markdown table: ours,
printed, difference for each table and learner, differences beyond 0.03 in bold, and their means at the end.
"""

import sys

import pandas as pd

from workbench import Results, load

BEYOND = 0.03
#: Our key to the paper's name.
NAMES = {
    "nb": "Naive Bayes",
    "nb_mdlp": "Naive Bayes",
    "tan": "TAN",
    "tan_superparent": "TAN",
    "aode": "AODE",
}


def joined(results: Results, printed: pd.DataFrame) -> pd.DataFrame:
    """Give one row a table and learner: ours, printed, difference."""
    ours = results.scores(results.choose("accuracy"))
    means = ours.groupby(["source", "learner"], observed=True, sort=False)["value"].mean().rename("ours")
    table = means.reset_index().astype({"source": "str", "learner": "str"})
    table["name"] = table["learner"].map(NAMES)
    both = table.merge(
        printed, left_on=["source", "name"], right_on=["dataset", "learner"], suffixes=("", "_printed")
    )
    both["difference"] = both["ours"] - both["value"]
    return both[["source", "learner", "ours", "value", "difference"]]


def markdown(both: pd.DataFrame) -> str:
    """Write the table."""
    learners = [key for key in NAMES if key in set(both["learner"])]
    lines = ["| table | " + " | ".join(learners) + " |", "|---|" + "---:|" * len(learners)]
    for source, own in both.groupby("source", sort=False):
        cells = own.set_index("learner")
        lines.append(f"| {source} | " + " | ".join(_cell(cells, key) for key in learners) + " |")
    means = both.groupby("learner")["difference"].agg(["mean", lambda d: d.abs().mean()])
    lines.append(
        "| mean difference | " + " | ".join(f"{means.loc[key].iloc[0]:+.4f}" for key in learners) + " |"
    )
    lines.append(
        "| mean distance | " + " | ".join(f"{means.loc[key].iloc[1]:.4f}" for key in learners) + " |"
    )
    return "\n".join(lines)


def _cell(cells: pd.DataFrame, learner: str) -> str:
    if learner not in cells.index:
        return "-"
    row = cells.loc[learner]
    gap = f"{row['difference']:+.3f}"
    return f"{row['ours']:.3f} {row['value']:.3f} " + (
        f"**{gap}**" if abs(row["difference"]) > BEYOND else gap
    )


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print("Ours, printed, difference.\n")
    print(markdown(joined(load(sys.argv[1]), pd.read_csv(sys.argv[2]))))
