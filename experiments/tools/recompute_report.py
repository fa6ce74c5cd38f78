"""Recompute the numbers of a report from the tables of its store, with sqlite3 and numpy alone.

Usage: python experiments/tools/recompute_report.py STORE.db REPORT.html

Nothing of the workbench is imported: the means, both ends of their intervals, paired differences, F and both
epsilons that the report shows are computed a second time, by other formulas where there are any, and held
against the full digits that the page carries. Ends with code 1 if one of them is off by more than 1e-9 (of
itself, where it is above 1). p values, effect sizes, detectable differences, probabilities of being the best,
rows needed, bias and variance are not recomputed, and the last line counts them. The exact scores behind the
means are read from the store, where the learners' forecasts were weighed by the true distribution.
"""

import sqlite3
import sys
from contextlib import closing
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import numpy as np

TOLERANCE = 1e-9
RECOMPUTED = ("mean", "difference", "F", "epsilon_gg", "epsilon_hf")


class NamedNumbers(HTMLParser):
    """Collect the table cells of a report that bear a name."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, dict[str, float]] = {}

    def handle_starttag(self, tag, attrs):  # noqa: D102
        attributes = dict(attrs)
        if tag == "td" and "data-name" in attributes:
            wanted = ("value", "low", "high")
            numbers = {w: float(attributes[f"data-{w}"]) for w in wanted if f"data-{w}" in attributes}
            self.found[attributes["data-name"]] = numbers


def scores_of(connection, score, source, learner, size):
    """Return the mean over training sets of each replicate: replicate to score."""
    return dict(
        connection.execute(
            "SELECT replicate, avg(value) FROM scores JOIN cells USING (cell) WHERE planned"
            " AND metric = ? AND prior = ? AND rows = ? AND cutoff = ? AND source = ? AND learner = ?"
            " AND n_train = ? GROUP BY replicate HAVING count(*) = (SELECT max(training_set) + 1 FROM cells)"
            " ORDER BY replicate",
            (*score, source, learner, size),
        ).fetchall()
    )


def block_of(connection, score, source, learners, sizes):
    """Return (n_replicates, n_learners, n_sizes) of the replicates in which no learner lacks a score."""
    found = {(key, n): scores_of(connection, score, source, key, n) for key in learners for n in sizes}
    whole = sorted(set.intersection(*(set(scores) for scores in found.values())))
    values = [[[found[key, n][replicate] for n in sizes] for key in learners] for replicate in whole]
    return np.array(values), whole


@cache
def t_quantile(share, df):
    """Invert the t distribution: its density is integrated by Gauss and Legendre, the root halved in."""
    nodes, weights = np.polynomial.legendre.leggauss(200)

    def mass(t):
        # with x = sqrt(df) tan(a) the density becomes cos(a) ** (df - 1)
        end = np.arctan(t / np.sqrt(df))
        part = np.sum(weights * np.cos((nodes + 1) / 2 * end) ** (df - 1)) * end / 2
        half = np.sum(weights * np.cos((nodes + 1) / 2 * np.pi / 2) ** (df - 1)) * np.pi / 4
        return 0.5 + part / half / 2

    low, high = 0.0, 1e6
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if mass(middle) < share else (low, middle)
    return low


def mean_and_ends(values, n_intervals):
    """Return mean and Bonferroni's interval."""
    n = len(values)
    mean = values.sum() / n
    error = np.sqrt(((values - mean) ** 2).sum() / (n - 1) / n)
    reach = t_quantile(1 - 0.05 / n_intervals / 2, n - 1) * error
    return {"value": mean, "low": mean - reach, "high": mean + reach}


def f_and_epsilons(values, effect):
    """Analyze (n_subjects, n_learners, n_sizes) from sums of squares of means, not from contrasts."""
    n, p, q = values.shape
    grand = values.mean()
    by_subject = values.mean(axis=(1, 2), keepdims=True)
    axes = {"learner": (2,), "size": (1,), "learner:size": ()}[effect]
    own = values.mean(axis=axes, keepdims=True)  # subject by effect
    if effect == "learner:size":
        main = [values.mean(axis=2, keepdims=True), values.mean(axis=1, keepdims=True)]
        deviations = own - main[0] - main[1] + by_subject
        df = (p - 1) * (q - 1)
    else:
        deviations = own - by_subject
        df = own.size // n - 1
    deviations = np.broadcast_to(deviations, (n, p, q)).reshape(n, -1)
    mean = deviations.mean(axis=0)
    ss = n * (mean**2).sum()
    ss_error = ((deviations - mean) ** 2).sum()
    F = (ss / df) / (ss_error / (df * (n - 1)))
    covariance = np.cov(deviations, rowvar=False)
    gg = np.trace(covariance) ** 2 / (df * (covariance**2).sum())
    hf = min(1.0, (n * df * gg - 2) / (df * (n - 1 - df * gg)))
    assert np.isclose(grand, by_subject.mean())
    return {"F": F, "epsilon_gg": gg, "epsilon_hf": hf}


def recompute(connection, found):
    """Yield each number of the report with what the store says: name, kind, printed, recomputed."""
    pairs = [name.split("|")[5:8] for name in found if name.startswith("difference|")]
    learners: dict[str, list[str]] = {}
    for source, *two in pairs:
        own = learners.setdefault(source, [])
        own += [key for key in two if key not in own]
    sizes_of = {}
    for name in found:
        if name.startswith("mean|"):
            sizes_of.setdefault(name.split("|")[5], set()).add(int(name.split("|")[7]))
    for name, printed in found.items():
        kind, *words = name.split("|")
        if kind not in RECOMPUTED:
            continue
        score, source = words[:4], words[4]
        own, sizes = learners[source], sorted(sizes_of[source])
        values, whole = block_of(connection, score, source, own, sizes)
        if kind == "mean":
            scores = scores_of(connection, score, source, words[5], int(words[6]))
            one = np.array([scores[replicate] for replicate in whole if replicate in scores])
            got = {"value": one.mean()}
            if "low" in printed:
                got = mean_and_ends(one, len(own) * len(sizes))
        elif kind == "difference":
            a, b, j = own.index(words[5]), own.index(words[6]), sizes.index(int(words[7]))
            n_intervals = len(own) * (len(own) - 1) // 2 * len(sizes)
            got = mean_and_ends(values[:, a, j] - values[:, b, j], n_intervals)
        else:
            got = {"value": f_and_epsilons(values, words[5])[kind]}
        for part, value in printed.items():
            yield name, part, value, float(got[part])


def main(store, report):
    """Print how many numbers agree, and one of each kind; return the exit code."""
    parser = NamedNumbers()
    parser.feed(Path(report).read_text(encoding="utf-8"))
    with closing(sqlite3.connect(f"{Path(store).resolve().as_uri()}?mode=ro", uri=True)) as connection:
        computed = list(recompute(connection, parser.found))
    shown, wrong, total = set(), [], 0
    for name, part, printed, again in computed:
        total += 1
        agrees = printed == again or abs(printed - again) <= TOLERANCE * max(1.0, abs(again))
        if not agrees:
            wrong.append((name, part, printed, again))
        kind = (name.split("|")[0], part)
        if kind not in shown:
            shown.add(kind)
            print(f"{name} {part}: report {printed!r}, store {again!r}")
    for name, part, printed, again in wrong:
        print(f"DIFFERENT: {name} {part}: report {printed!r}, store {again!r}")
    others = sum(name.split("|")[0] not in RECOMPUTED for name in parser.found)
    rest = f"{others} others (p, eta squared, ...) not recomputed"
    print(f"{total} numbers recomputed, {len(wrong)} different; {rest}")
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
