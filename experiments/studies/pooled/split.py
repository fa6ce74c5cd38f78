"""Which tables the pooled classifier is developed on, and which judge it.

Tables of like numbers of rows and classes are sorted by whether values are missing, whether there are
categories, and rows; of each two neighbors one judges, and of each two that are left over. It is the one that
the study of plans has not used, otherwise the one whose SHA-256 with the seed is smaller. This was settled
before any learner was fitted to the tables here.

    python experiments/studies/pooled/split.py

writes development.csv and judging.csv; from the two files together it comes to the same two.
"""

import hashlib
import itertools
from pathlib import Path
from typing import Any

import pandas as pd

HERE = Path(__file__).parent
SIDES = ("development", "judging")
SEED = 2026
#: The most rows and the most classes of all bands but the last.
BANDS = {"rows": (1_000, 5_000), "classes": (2, 5)}
#: Tables of the study of plans that are not on its list, or part of which is.
PLANNED = {"anes96", "monica"}


def split() -> dict[str, pd.DataFrame]:
    """Return the lists of the two sides, in alphabetical order."""
    both = pd.concat(pd.read_csv(HERE / f"{side}.csv", keep_default_na=False) for side in SIDES)
    planned = PLANNED | set(pd.read_csv(HERE.parent / "planning" / "judging_tables.csv")["table"])
    pairs, odd = [], []
    for _, stratum in itertools.groupby(sorted(both.to_dict("records"), key=_place), key=_bands):
        names = [row["table"] for row in stratum]
        pairs += list(zip(names[::2], names[1::2], strict=False))
        odd += names[len(names) // 2 * 2 :]
    pairs += list(zip(odd[::2], odd[1::2], strict=False))
    judges = {min(pair, key=lambda own: (own in planned, _digest(own))) for pair in pairs}
    both = both.sort_values(["package", "table"], key=lambda own: own.str.lower())
    judging = both["table"].isin(judges)
    return {"development": both[~judging], "judging": both[judging]}


def _bands(row: dict[str, Any]) -> tuple[int, ...]:
    return tuple(sum(row[what] > most for most in bounds) for what, bounds in BANDS.items())


def _place(row: dict[str, Any]) -> tuple[Any, ...]:
    return (*_bands(row), row["missing"] > 0, row["categories"] > 0, row["rows"], row["table"])


def _digest(name: str) -> str:
    return hashlib.sha256(f"{SEED} {name}".encode()).hexdigest()


if __name__ == "__main__":
    for side, tables in split().items():
        tables.to_csv(HERE / f"{side}.csv", index=False)
