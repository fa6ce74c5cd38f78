"""Measure whether training rows and the complexity of a theory predict its performance on other rows.

Run from the root of the repository, after the studies `study.toml` and `truths.toml` of this folder:

    python experiments/studies/theory_complexity/write_notes.py STORE --truths STORE \
        --to NOTES.md --figure FIGURE.png

On every split the learners are ranked by what is known from the training rows, and judged by S_f of the test
rows. Subjects of all intervals are the data sets, or the truths, never the splits. Writes between the markers
of the notes.
"""

import argparse
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

from workbench import Results, load
from workbench.report.renderers.markdown import END, START, between_markers

#: Of each code, as printed and by counts: significance, and bits of the classes given the theory.
CODES = {
    "as printed": ("significance", "frequency_complexity"),
    "by counts": ("significance_by_count", "frequency_complexity_by_count"),
}
#: Criteria that rank learners, all from the training rows; more is better.
CRITERIA: dict[str, Callable[[pd.DataFrame], pd.Series]] = {
    "S_f": lambda own: own["saved_train"],
    "S_f - I(T)/4": lambda own: own["saved_train"] - own["theory"] / 4,
    "S_f - I(T)/2": lambda own: own["saved_train"] - own["theory"] / 2,
    "S_f - I(T)": lambda own: own["saved_train"] - own["theory"],
    "S_f - 2 I(T)": lambda own: own["saved_train"] - 2 * own["theory"],
    "-I(T)": lambda own: -own["theory"],
    "accuracy": lambda own: own["accuracy_train"],  # the percentage correct
}
PLAIN, WHOLE = "S_f", "S_f - I(T)"
YARDSTICKS = ("any learner", "best of the other subjects")
MEASURES = ("rank correlation", "best chosen [%]", "regret [bits]", "regret [bits/100 rows]")
#: Theories of one kind are stated in one code, so that their lengths can be compared more safely.
FAMILIES = {
    "trees": ("one_r", "stump", "c45", "c45_unpruned", "c50", "mml_tree", "mml_graph"),
    "rules": ("c45rules", "foil", "induct_rdr", "induct_dnf"),
}
#: Colors in the figure.
KINDS = {
    "one attribute": ("one_r", "stump"),
    "rules": FAMILIES["rules"],
    "trees": ("c45", "c45_unpruned", "c50"),
    "shortest message": ("mml_tree", "mml_graph"),
}
LIMITS, TICKS = (0.0013, 9.0), (0.01, 0.1, 1.0)
PLACE = ["source", "n_train", "replicate"]
SAME = 1e-9  # bits that make no difference


def read(results: Results, code: str) -> pd.DataFrame:
    """Return one row per split and learner: bits of the theory, and of both halves."""
    frame = results.frame()
    saved, bits = CODES[code]
    named = {
        ("theory_complexity", "none"): "theory",
        **{(saved, rows): f"saved_{short}" for rows, short in (("training", "train"), ("test", "test"))},
        **{(bits, rows): f"bits_{short}" for rows, short in (("training", "train"), ("test", "test"))},
        ("accuracy", "training"): "accuracy_train",
    }
    kept = [pair in named for pair in zip(frame["metric"], frame["rows"], strict=True)]
    frame = frame[kept]
    columns = [named[pair] for pair in zip(frame["metric"], frame["rows"], strict=True)]
    wide = frame.assign(what=columns).pivot_table(
        index=[*PLACE, "learner"], columns="what", values="value", observed=True, sort=False
    )
    n_test = results.cells().groupby("source", observed=True)["n_test"].first()
    found = wide.dropna(subset="theory").reset_index()  # the truth states no theory
    return found.assign(n_test=found["source"].map(n_test).astype(int))


def judged(rows: pd.DataFrame) -> pd.DataFrame:
    """Return one row per split and criterion: ranking, whether its choice is best, and the loss."""
    found = []
    for place, own in rows.groupby(PLACE, observed=True, sort=False):
        test, n_test = own["saved_test"].to_numpy(), own["n_test"].iloc[0]
        for name, criterion in CRITERIA.items():
            value = criterion(own).to_numpy()
            chosen = value >= value.max() - SAME  # several share the choice
            found.append((*place, name, *_judged(test, chosen, n_test), _spearman(value, test)))
        found.append((*place, YARDSTICKS[0], *_judged(test, np.ones(len(test), bool), n_test), np.nan))
    columns = [*PLACE, "criterion", *MEASURES[1:], MEASURES[0]]
    return pd.DataFrame(found, columns=columns)


def _judged(test: np.ndarray, chosen: np.ndarray, n_test: int) -> tuple[float, float, float]:
    lost = test.max() - test[chosen]
    return 100 * float((lost <= SAME).mean()), float(lost.mean()), 100 * float(lost.mean()) / n_test


def _spearman(one: np.ndarray, other: np.ndarray) -> float:
    """Undefined where either is the same for all learners."""
    if np.ptp(one) <= SAME or np.ptp(other) <= SAME:
        return np.nan
    return float(stats.spearmanr(one.round(9), other.round(9)).statistic)


def best_of_others(rows: pd.DataFrame, subject: list[str]) -> pd.DataFrame:
    """Judge the learner that loses least, row for row, on all subjects but the one it is used on."""
    place = rows.groupby(PLACE, observed=True, sort=False)
    lost = place["saved_test"].transform("max") - rows["saved_test"]
    each = rows.assign(
        **{MEASURES[1]: 100.0 * (lost <= SAME), MEASURES[2]: lost, MEASURES[3]: 100 * lost / rows["n_test"]}
    )
    means = each.groupby([*subject, "learner"], observed=True)[list(MEASURES[1:])].mean().reset_index()
    regret = means.pivot_table(index=subject, columns="learner", values=MEASURES[3], observed=True)
    others = (regret.sum() - regret) / (len(regret) - 1)
    chosen = others.idxmin(axis=1).rename("learner").reset_index()
    return chosen.merge(means, on=[*subject, "learner"]).assign(criterion=YARDSTICKS[1])


def by_subject(rows: pd.DataFrame, subject: list[str]) -> dict[str, pd.DataFrame]:
    """Average over the splits of each data set or truth; one frame per measure, one column per criterion."""
    each = pd.concat([judged(rows), best_of_others(rows, subject)])
    return {
        measure: each.pivot_table(index=subject, columns="criterion", values=measure, observed=True)
        for measure in MEASURES
    }


def interval(values: pd.Series, decimals: int = 2) -> str:
    """95%, Student's t over the subjects."""
    values = values.dropna()
    half = stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return f"{values.mean():.{decimals}f} ± {half:.{decimals}f}"


def lines(head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """Write a table."""
    head = list(head)
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]


def criteria_table(wide: dict[str, pd.DataFrame]) -> list[str]:
    """Return one row per criterion; at the end what the theory adds to S_f alone, subject by subject."""
    rows = []
    for name in (*CRITERIA, *YARDSTICKS):
        has = {measure: name in frame for measure, frame in wide.items()}
        rows.append([name, *[interval(wide[m][name]) if has[m] else "" for m in MEASURES]])
    for name in ("S_f - I(T)/4", "S_f - I(T)/2", WHOLE):
        less = [interval(wide[measure][name] - wide[measure][PLAIN]) for measure in MEASURES]
        rows.append([f"{name}, less {PLAIN}", *less])
    return lines(["learners ranked by", *MEASURES], rows)


def by_table(rows: pd.DataFrame, wide: dict[str, pd.DataFrame]) -> list[str]:
    """Return one row per data set: both criteria side by side."""
    pairs = [(measure, name) for measure in (MEASURES[0], MEASURES[3]) for name in (PLAIN, WHOLE)]
    head = ["data set", "rows", *[f"{measure}, {name}" for measure, name in pairs]]
    sizes = rows.groupby("source", observed=True)["n_train"].first()
    found = []
    for source in wide[MEASURES[0]].index:
        cells = [wide[measure][name][source] for measure, name in pairs]
        found.append([str(source), str(sizes[source]), *[f"{value:.2f}" for value in cells]])
    return lines([*head, "S_f chooses mostly", "S_f - I(T) chooses mostly"], _with_choices(rows, found))


def _with_choices(rows: pd.DataFrame, found: list[list[str]]) -> Iterator[list[str]]:
    for line in found:
        own = rows[rows["source"] == line[0]]
        mostly = []
        for name in (PLAIN, WHOLE):
            value = CRITERIA[name](own)
            top = value >= value.groupby([own[p] for p in PLACE], observed=True).transform("max") - SAME
            counts = own["learner"][top].value_counts()
            mostly.append(str(counts.idxmax()))
        yield [*line, *mostly]


def overfitting(rows: pd.DataFrame, subject: list[str]) -> pd.DataFrame:
    """Return, by subject, how the loss from training to test rows depends on the complexity of a theory.

    The loss is in bits for as many rows as were learned from; the slope is that of a line through the mean of
    each split.
    """
    found = []
    for place, own in rows.groupby(PLACE, observed=True, sort=False):
        per_row = own["bits_test"] / own["n_test"] - own["bits_train"] / own["n_train"]
        loss, theory = (per_row * own["n_train"]).to_numpy(), own["theory"].to_numpy()
        if np.ptp(theory) > SAME:
            slope = float(np.polyfit(theory, loss, 1)[0])
            found.append((*place, _spearman(theory, loss), slope))
    names = ["rank correlation", "slope [bits lost/bit of theory]"]
    return pd.DataFrame(found, columns=[*PLACE, *names]).groupby(subject, observed=True)[names].mean()


def per_row(rows: pd.DataFrame, subject: list[str]) -> pd.DataFrame:
    """Bits per row by subject and learner: found on test rows, predicted without the theory and with."""
    each = rows.assign(
        found=rows["bits_test"] / rows["n_test"],
        without=rows["bits_train"] / rows["n_train"],
        whole=(rows["bits_train"] + rows["theory"]) / rows["n_train"],
    )
    names = ["found", "without", "whole"]
    return each.groupby([*subject, "learner"], observed=True)[names].mean().reset_index()


def calibration(points: pd.DataFrame) -> list[str]:
    """Return one row per learner: predicted less found bits, subject by subject."""
    head = ["learner", "found [bits/row]", "predicted without I(T), less found", "with I(T), less found"]
    body = []
    for learner in [*points["learner"].unique(), None]:
        own = points if learner is None else points[points["learner"] == learner]
        own = own.groupby([c for c in PLACE if c in own], observed=True)[["found", "without", "whole"]].mean()
        less = [interval(own[name] - own["found"], 3) for name in ("without", "whole")]
        body.append([str(learner or "mean of all"), f"{own['found'].mean():.3f}", *less])
    return lines(head, body)


def notes(tables: Results, truths: Results | None) -> str:
    """Write all tables."""
    sections: dict[str, list[str]] = {}
    for code in CODES:
        rows = read(tables, code)
        wide = by_subject(rows, ["source"])
        n = len(wide[MEASURES[0]])
        sections[f"Ranked from the training half, {n} data sets, S_f {code}"] = criteria_table(wide)
        if code == "as printed":
            sections["By data set"] = by_table(rows, wide)
            for family, members in FAMILIES.items():
                own = by_subject(rows[rows["learner"].isin(members)], ["source"])
                sections[f"Among {family} only: {', '.join(members)}"] = criteria_table(own)
            sections["Complexity and overfitting, data sets"] = overfitting_table(
                {"data sets": rows}, ["source"]
            )
            sections["Code length of a test row, data sets"] = calibration(per_row(rows, ["source"]))
    if truths is not None:
        sections |= _of_truths(truths)
    return "\n".join(line for title, own in sections.items() for line in (f"### {title}", "", *own, ""))


def _of_truths(truths: Results) -> dict[str, list[str]]:
    subject = ["source", "replicate"]
    rows = read(truths, "as printed")
    groups = {
        f"{key}, {size} rows": own
        for (key, size), own in rows.groupby(["source", "n_train"], observed=True, sort=False)
    }
    head = ["truths, training rows", *[f"{m}, {name}" for m in MEASURES[:2] for name in (PLAIN, WHOLE)]]
    head += [f"{MEASURES[3]}, {name}" for name in (PLAIN, WHOLE, *YARDSTICKS)]
    body = []
    for title, own in groups.items():
        wide = by_subject(own, subject)
        cells = [interval(wide[m][name]) for m in MEASURES[:2] for name in (PLAIN, WHOLE)]
        cells += [interval(wide[MEASURES[3]][name]) for name in (PLAIN, WHOLE, *YARDSTICKS)]
        body.append([title, *cells])
    families = {
        f"{family}, {size} rows": own[own["learner"].isin(members)]
        for family, members in FAMILIES.items()
        for size, own in rows.groupby("n_train", sort=False)
    }
    largest = rows[rows["n_train"] == rows["n_train"].max()]
    return {
        "Ranked from the training rows, truths, S_f as printed": lines(head, body),
        "Within a family, truths of all kinds": within_families(families, subject),
        "Complexity and overfitting, truths": overfitting_table(groups, subject),
        f"Code length of a test row, truths, {largest['n_train'].iloc[0]} training rows": calibration(
            per_row(largest, subject)
        ),
    }


def within_families(groups: dict[str, pd.DataFrame], subject: list[str]) -> list[str]:
    """Return one row per family and size: what parts of the theory add to S_f alone, subject by subject."""
    shown = (MEASURES[0], MEASURES[3])
    parts = ("S_f - I(T)/4", "S_f - I(T)/2", WHOLE)
    head = ["family, training rows", *[f"{m}, {PLAIN}" for m in shown]]
    head += [f"{m}, {name} less {PLAIN}" for name in parts for m in shown]
    body = []
    for title, own in groups.items():
        wide = by_subject(own, subject)
        cells = [interval(wide[m][PLAIN]) for m in shown]
        cells += [interval(wide[m][name] - wide[m][PLAIN]) for name in parts for m in shown]
        body.append([title, *cells])
    return lines(head, body)


def overfitting_table(groups: dict[str, pd.DataFrame], subject: list[str]) -> list[str]:
    """Return one row per group of subjects."""
    found = {title: overfitting(own, subject) for title, own in groups.items()}
    head = ["I(T) against the loss", *next(iter(found.values())).columns]
    return lines(head, ([title, *[interval(own[c]) for c in own]] for title, own in found.items()))


def draw(points: pd.DataFrame, path: Path) -> None:
    """Draw predicted against found code lengths, one marker for each data set and learner."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    from workbench.figures._shared.style import legend_below_all, settings

    panels = {"without": "training code alone", "whole": "training code and theory"}
    with mpl.rc_context({**settings(), "axes.grid": False}):
        figure = Figure(figsize=(7.5, 4.9), layout="constrained")
        axes = figure.subplots(1, 2, sharex=True, sharey=True)
        for ax, (column, title) in zip(axes, panels.items(), strict=True):
            ax.axline((1, 1), (2, 2), color="black", linewidth=0.8, zorder=1)
            for learner, color, marker in _markers():
                own = points[points["learner"] == learner]
                ax.plot(
                    own[column], own["found"], linestyle="none", marker=marker, color=color, markersize=5,
                    markerfacecolor="none", label=learner,
                )  # fmt: skip
            ax.set(xscale="log", yscale="log", xlim=LIMITS, ylim=LIMITS, aspect="equal", title=title)
            ax.set_xticks(TICKS, [f"{tick:g}" for tick in TICKS])
            ax.set_yticks(TICKS, [f"{tick:g}" for tick in TICKS])
            ax.set_xlabel("predicted [bits per row]")
        axes[0].set_ylabel("found on the test half [bits per row]")
        legend_below_all(figure, list(axes[0].lines)[1:])
        figure.savefig(path, dpi=200)


def _markers() -> Iterator[tuple[str, str, str]]:
    """Return the color (by kind) and marker of each learner."""
    from workbench.figures._shared.style import MARKERS, SERIES

    for (_, members), color in zip(KINDS.items(), SERIES, strict=False):
        yield from ((learner, color, marker) for learner, marker in zip(members, MARKERS, strict=False))


def main() -> None:
    """Read the stores, judge the criteria, write the notes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("--truths", type=Path)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--figure", type=Path)
    options = parser.parse_args()
    tables = load(options.store)
    found = notes(tables, load(options.truths) if options.truths else None)
    text = (
        options.to.read_text()
        if options.to.exists()
        else "\n".join(["# Theory complexity", "", START, END, ""])
    )
    options.to.write_text(between_markers(text, found))
    if options.figure:
        draw(per_row(read(tables, "as printed"), ["source"]), options.figure)
    print(f"notes in {options.to}")


if __name__ == "__main__":
    main()
