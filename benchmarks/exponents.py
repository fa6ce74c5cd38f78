"""Growth of the run time of every learner: `python -m benchmarks.exponents docs/reference/growth.md`.

One thread, CPU seconds. Each size of one table is doubled until a fit takes longer than `PATIENCE`; the
exponent is the slope, on logarithmic axes, over the last three sizes. What was measured is kept in build/;
`--only KEY ...` measures some learners anew.
"""

import argparse
import json
import statistics
import textwrap
import time
import warnings
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure
from threadpoolctl import threadpool_limits

from benchmarks.million import made_up
from benchmarks.report import say
from learners import LEARNERS
from workbench.base.names import learner_name
from workbench.engine.provenance import provenance
from workbench.report import notes

FIGURE = Path(__file__).parents[1] / "docs" / "figures" / "growth_exponents.png"
KEPT = Path(__file__).parents[1] / "build" / "exponents.json"
VALUES = 4
WIDTH = 110  # of lines of the page
BASE = {"rows": 4_000, "attributes": 10, "classes": 3}
SIZES = {
    "rows": [1_000 * 2**i for i in range(9)],
    "attributes": [5, 10, 20, 40, 80],
    "classes": [2, 4, 8, 16, 32],
}
PATIENCE = 2.0  # seconds of a fit, or of a forecast, beyond which no larger table is tried
LEAST = 0.02  # seconds that are measured at a time
REPEATS = 3
LAST = 3  # sizes that the exponent is taken over
NOISE = 0.25  # by which an exponent may exceed its bound before it needs an explanation


#: Size, seconds to fit and seconds to forecast the same rows.
Curve = list[tuple[int, float, float]]
#: By what is doubled.
Curves = dict[str, Curve]


class Bound(NamedTuple):
    """What a fit and a forecast take at most: powers of rows, attributes, classes; None without a bound."""

    fit: tuple[float, float, float] | None
    forecast: tuple[float, float, float] | None


PASS = (1.0, 1.0, 1.0)  # each cell of the table once, for each class
#: By key of the learner; logarithms are left out.
BOUNDS: Mapping[str, Bound] = {
    "nb": Bound(PASS, PASS),
    "nb_m_estimate": Bound(PASS, PASS),
    "prior": Bound(PASS, PASS),
    "tan": Bound((1, 2, 1), PASS),
    "averaged_tan": Bound((1, 3, 1), (1, 3, 1)),
    "aode": Bound((1, 2, 1), (1, 2, 1)),
    "kdb": Bound((1, 2, 1), PASS),
    "selective_kdb": Bound((1, 2, 1), PASS),
    "ande": Bound((1, 3, 1), (1, 3, 1)),
    "averaged_discretizations": Bound((1, 3, 1), (1, 3, 1)),
    "one_r": Bound(PASS, PASS),
    "stump": Bound(PASS, PASS),
    "c45": Bound((1, 2, 1), (1, 1, 1)),
    "j48": Bound((1, 2, 1), (1, 1, 1)),
    "c50": Bound((1, 2, 1), (1, 1, 1)),
    "mml_tree": Bound((1, 2, 1), (1, 1, 1)),
}
#: Why an exponent is above its bound, or why there is none; by learner.
REASONS: Mapping[str, str] = {
    "ande": "between 40 and 80 attributes, the counts of triples exceed the processor's caches",
    "averaged_assumptions": "up to 13 attributes a sum over all networks (2^d), beyond over trees",
    "bn_ensemble": "held-out rows choose cuts, networks and steps, and each step solves systems with an "
    "unknown for each cell of a probability table",
    "camml": "more rows support more arcs, so the search visits more networks",
    "c45rules": "rules of all leaves are generalized on all rows (leaves times rows)",
    "j48": "trees grow with the rows, so forecasts pass through deeper trees",
    "mml_graph": "each join tries pairs of leaves (leaves squared times rows)",
    "foil": "more rows support more rules, and each rule is grown on the remaining rows",
    "induct_rdr": "more rows support more rules, and each rule is grown on the rows that reach it",
    "induct_dnf": "more rows support more rules, and each rule is grown on the remaining rows",
}


def measured(key: str) -> Curves:
    """Double each, until it takes too long."""
    curves: Curves = {}
    for axis, sizes in SIZES.items():
        curve = curves[axis] = []
        for size in sizes:
            X, y = made_up(*(BASE | {axis: size}).values(), VALUES)
            try:
                fit, forecast = _seconds(key, X, y)
            except (ValueError, MemoryError) as error:
                say(f"{key} stops before {size} {axis}: {error}")
                break
            curve.append((size, fit, forecast))
            if max(fit, forecast) > PATIENCE:
                break
        say(f"{key}, {axis}: " + ", ".join(f"{size} {fit:.3g} + {out:.3g} s" for size, fit, out in curve))
    return curves


def _seconds(key: str, X: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    arities = np.full(X.shape[1], VALUES)
    learner: Any = LEARNERS[key](arities=arities)
    learner.fit(X, y).predict_proba(X)  # compile; a few rows may take other kernels
    fit = _median(lambda: learner.fit(X, y))
    return fit, _median(lambda: learner.predict_proba(X))


def _median(work: Callable[[], Any]) -> float:
    found: list[float] = []
    while len(found) < REPEATS and sum(found) < PATIENCE:
        times, start = 0, time.process_time()
        while (passed := time.process_time() - start) < LEAST:
            work()
            times += 1
        found.append(passed / times)
    return statistics.median(found)


def exponent(curve: Curve, part: int) -> float | None:
    """Return the slope over the last sizes; None of fewer than three."""
    last = curve[-LAST:]
    if len(last) < LAST:
        return None
    size, seconds = (np.log([point[place] for point in last]) for place in (0, part))
    return float(np.polyfit(size, seconds, 1)[0])


def page(found: Mapping[str, Curves], about: str) -> str:
    rows, reasons = [], []
    for key, curves in found.items():
        bound = BOUNDS.get(key, Bound(None, None))
        cells = []
        for part, name in ((1, "fit"), (2, "forecast")):
            most = getattr(bound, name)
            for place, axis in enumerate(SIZES):
                value = exponent(curves[axis], part)
                above = value is not None and most is not None and value > most[place] + NOISE
                cells.append(("" if value is None else f"{value:.1f}") + ("*" if above else ""))
        bounds = ["" if part is None else _power(part) for part in bound]
        rows.append([learner_name(key), *cells, *bounds, _largest(curves["rows"])])
        if key in REASONS:
            reasons.append(f"- {learner_name(key)}: {REASONS[key]}")
    head = ["learner", "fit: rows", "attributes", "classes", "forecast: rows", "attributes", "classes"]
    head += ["fit: bound", "forecast: bound", "most rows: fit + forecast"]
    shown = notes.table(head, rows, words=1)
    return "\n".join([*_head(found, about), shown, "", *_foot(reasons), ""])


def _power(bound: tuple[float, float, float]) -> str:
    words = [name if power == 1 else f"{name}^{power:g}" for name, power in zip("ndk", bound, strict=True)]
    return " ".join(words)


def _largest(curve: Curve) -> str:
    if not curve:
        return "none"
    size, fit, forecast = curve[-1]
    return f"{size:,}: {fit:.2g} + {forecast:.2g} s"


def _head(found: Mapping[str, Curves], about: str) -> list[str]:
    rows, attributes, classes = BASE.values()
    base = f"{rows:,} rows, {attributes} attributes of {VALUES} values and {classes} classes"
    slopes = {key: exponent(curves["rows"], 1) for key, curves in found.items()}
    steep = {key: value for key, value in slopes.items() if value is not None and value > 1 + NOISE}
    named = ", ".join(f"{learner_name(key)} ({value:.1f})" for key, value in steep.items())
    named = " and ".join(named.rsplit(", ", 1))
    question = "**Question.** How does run time grow with the numbers of rows, attributes and classes?"
    design = (
        f"**Design.** A synthetic data set of integer codes has {base}. Rows, attributes or classes are "
        f"doubled until a fit or a forecast takes {PATIENCE:g} s. With exponent 1, twice the size takes "
        f"twice the time. The exponent is the slope over the last {LAST} sizes, and lower for smaller data "
        f"sets, where costs such as reading dominate. Times are CPU seconds of one thread ({about}). `python "
        "-m benchmarks.exponents docs/reference/growth.md` writes this page."
    )
    answer = (
        f"**Answer.** Fits of {len(slopes) - len(steep)} of {len(slopes)} learners grow at most linearly "
        f"with the rows, within {NOISE:g}. The others are {named}. Reasons are below the table."
    )
    return [
        "# Growth of run time",
        "",
        *(line for part in (question, design, answer) for line in (textwrap.fill(part, WIDTH), "")),
        "![Exponents of fit and forecast by rows, attributes and classes, for every learner]"
        "(../figures/growth_exponents.png)",
        "",
    ]


def _foot(reasons: list[str]) -> list[str]:
    bounds = (
        "Bounds are for n rows, d attributes and k classes, without logarithms. Those of trees contain d "
        "twice, because a tree may be as deep as there are attributes. `*`: above the bound by more than "
        f"{NOISE:g}."
    )
    return [
        textwrap.fill(bounds, WIDTH),
        "",
        "Some exponents exceed their bound, and learners whose models grow with the rows have no bound:",
        "",
        *reasons,
    ]


def draw(found: Mapping[str, Curves]) -> None:
    keys = list(found)[::-1]
    with notes.figure_style():
        figure = Figure(figsize=(8.0, 0.24 * len(keys) + 1.3), layout="constrained")
        axes = figure.subplots(1, 3, sharey=True)
        for axis, panel in zip(SIZES, axes, strict=True):
            for part, name, marker in ((1, "fit", "o"), (2, "forecast of the same rows", "D")):
                points = [(exponent(found[key][axis], part), i) for i, key in enumerate(keys)]
                known = [(value, i) for value, i in points if value is not None]
                color = notes.SERIES[part - 1]
                panel.plot(*zip(*known, strict=True), marker, color=color, label=name, markersize=5)
            panel.axvline(1.0, color="#8a8a8a", linewidth=0.8, zorder=0)
            panel.set(title=f"twice the {axis}", xlabel="exponent", ylim=(-0.7, len(keys) - 0.3))
            panel.grid(axis="y", linewidth=0.4, alpha=0.5)
        axes[0].set_yticks(range(len(keys)), [learner_name(key) for key in keys])
        handles, names = axes[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=2)
        notes.save_figure(figure, FIGURE, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how the run time of every learner grows.")
    parser.add_argument("page", type=Path)
    parser.add_argument("--only", nargs="+", choices=LEARNERS, default=[])
    asked = parser.parse_args()
    found = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for key in LEARNERS:
            if key in asked.only or key not in found:
                found[key] = measured(key)
                KEPT.parent.mkdir(exist_ok=True)
                KEPT.write_text(json.dumps(found))
    found = {key: found[key] for key in LEARNERS}
    machine = provenance()
    about = f"{date.today().isoformat()}, {machine['cores']} cores, {machine['cpu']}"
    draw(found)
    asked.page.write_text(page(found, about), encoding="utf-8")


if __name__ == "__main__":
    main()
