"""A profile as a document, which the renderers of reports write as HTML, Markdown, LaTeX or CSV."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pandas as pd

from workbench.base.text import and_of, printable
from workbench.profiles.displays import DISPLAYS
from workbench.profiles.entrants import profiled_name
from workbench.profiles.findings import ProfileFindings
from workbench.profiles.kinds import ALL
from workbench.profiles.knobs import KNOBS
from workbench.profiles.paragraph import sentences_of
from workbench.profiles.part import N_TEST, SEED
from workbench.profiles.words import WIDTHS, kind_words, place_words
from workbench.report.document import Document, Part, Picture, Section, Text
from workbench.report.table import Cell, Number, Table, number, whole

__all__ = ["document_of"]

#: Columns of rows needed.
ENDS = ("size", "low", "high")
QUESTION = "What are the inductive biases of this learner, and what do they cost?"
MEANING = (
    "Losses are Kullback-Leibler divergences from the truth in bits, with probabilities clipped as in 2002, "
    "minus the losses of the optimum, or of the truth where no optimum is known. 0 is the best."
)


def document_of(profile: ProfileFindings) -> Document:
    """Arrange everything that a profile found."""
    first, *others = (_picture(profile, name) for name in DISPLAYS)
    sections = (
        Section("Findings", tuple(Text(sentence) for sentence in sentences_of(profile)[1:])),
        Section("The map", (_map_table(profile),)),
        Section("Dose-response curves", (others[0], _effects_table(profile))),
        Section("Confidence, similarity and spread", (others[1], _habits_table(profile), *_spread(profile))),
        Section("Rows needed and cost", (_needs_table(profile), _costs_table(profile), *_scaling(profile))),
        Section("Invariances", tuple(_invariances(profile))),
        Section("Method", tuple(Text(note) for note in _method(profile))),
    )
    return Document(
        title=f"Profile of {profiled_name(profile.learner)}",
        subtitle=profile.part.words,
        opening=sentences_of(profile)[0] if sentences_of(profile) else "",
        parts=(),
        surety="",
        winners=(),
        pictures=(first,),
        caption=first.caption,
        sections=tuple(section for section in sections if section.parts),
        footer=f"Seed {SEED}; {profile.part.suite}; {N_TEST} test rows where the attribute space is large.",
        question=QUESTION,
        meaning=MEANING,
    )


def _picture(profile: ProfileFindings, name: str) -> Picture:
    display = DISPLAYS[name](profile)
    return Picture(
        display.key, display.title, display.caption, display.sketch, wide=True, tall=name == "probes"
    )


def _map_table(profile: ProfileFindings) -> Table:
    table = profile.kinds.table
    sizes = sorted(table["n_train"].unique())
    rows: list[tuple[Cell, ...]] = []
    for kind in dict.fromkeys(table["kind"]):
        own = table[table["kind"] == kind].set_index("n_train")
        name = kind if kind == ALL else kind_words(kind)
        regrets = [_interval(own, size, f"map|{kind}|{size}") for size in sizes]
        places = [_place(own, size) for size in sizes]
        rows += [(name, "regret", *regrets), ("", "rank", *places)]
    return Table(
        "Regret in bits on each kind of truth, and the rank among the reference learners",
        ("kind", "", *(f"{size:,} rows" for size in sizes)),
        tuple(rows),
        note=(
            "In brackets simultaneous 95% intervals over truths. A range of ranks is a 95% interval. Means "
            "are over three difficulties, with few and with many attributes."
        ),
    )


def _interval(own: pd.DataFrame, size: int, name: str) -> Cell:
    if size not in own.index:
        return ""
    row = own.loc[size]
    return number(row["regret"], 3, name, (row["low"], row["high"]))


def _place(own: pd.DataFrame, size: int) -> Cell:
    if size not in own.index:
        return ""
    row = own.loc[size]
    return place_words(row["rank_low"], row["rank_high"], row["n_ranked"])


def _effects_table(profile: ProfileFindings) -> Table:
    own = profile.responses.of(profile.learner)
    others = profile.responses.effects
    beside = tuple(dict.fromkeys((*profile.companions, "prior")))
    rows: list[tuple[Cell, ...]] = []
    for row in own.to_dict("records"):
        same = others[
            (others["probe"] == row["probe"])
            & (others["n_train"] == row["n_train"])
            & (others["level"] == row["level"])
        ].set_index("learner")["effect"]
        name = f"effect|{row['probe']}|{row['n_train']}"
        effect = number(row["effect"], 3, name, (row["low"], row["high"]))
        companions = [number(same.get(key, float("nan")), 3) for key in beside]
        rows.append(
            (KNOBS[row["probe"]].title, whole(row["n_train"]), f"{row['level']:g}", effect, *companions)
        )
    return Table(
        "Loss at the strongest level of a parameter minus loss at the first",
        ("parameter", "rows", "level", *map(profiled_name, (profile.learner, *beside))),
        tuple(rows),
        note=(
            "Bits, on the same truths except for the parameter. In brackets simultaneous 95% intervals for "
            "all parameters. Many parameters also change how much can be learned, and so how much can be "
            "lost. "
            "The column of the class prior shows by how much."
        ),
    )


def _habits_table(profile: ProfileFindings) -> Table:
    nearest = profile.habits.nearest().set_index("n_train")
    rows: list[tuple[Cell, ...]] = []
    for row in profile.habits.table.to_dict("records"):
        size = int(row["n_train"])
        near = nearest.loc[size] if size in nearest.index else None
        like = "" if near is None else f"{profiled_name(near['learner'])} ({near['distance']:.3f} bits)"
        cells = [
            number(row[name], 3, f"{name}|{size}", (row[f"{name}_low"], row[f"{name}_high"]))
            for name in ("confidence", "caution")
        ]
        rows.append((whole(size), *cells, like))
    return Table(
        "Confidence, caution, and the most similar reference learner",
        ("rows", "confidence minus the optimum's", "entropy minus the optimum's (bits)", "most similar"),
        tuple(rows),
    )


def _spread(profile: ProfileFindings) -> Iterator[Part]:
    if profile.spread.empty:
        return
    rows: list[tuple[Cell, ...]] = [
        (
            kind_words(str(row["source"])),
            profiled_name(str(row["learner"])),
            whole(row["n_train"]),
            *(
                number(row[name], 3, "", (row[f"{name}_low"], row[f"{name}_high"]))
                for name in ("loss", "bias", "variance")
            ),
        )
        for row in profile.spread.to_dict("records")
    ]
    yield Table(
        "Bias and variance of the divergence from the truth",
        ("kind", "learner", "rows", "loss", "bias", "variance"),
        tuple(rows),
        note="Bits. Few truths of medium difficulty, with several training sets each.",
        grouped=True,
    )


def _needs_table(profile: ProfileFindings) -> Table:
    needs = profile.needs
    shares, largest = sorted(needs["share"].unique()) if len(needs) else [], max(profile.scores.sizes)
    rows: list[tuple[Cell, ...]] = []
    for kind in dict.fromkeys(needs["kind"]) if len(needs) else ():
        own = needs[needs["kind"] == kind].set_index("share")
        rows.append((kind_words(kind), *(_size(own.loc[share].to_dict(), largest) for share in shares)))
    return Table(
        "Rows needed for a share of the attainable bits",
        ("kind", *(f"{share:.0%}" for share in shares)),
        tuple(rows),
        note="Share of the way from class frequencies to the truth. In brackets 95% intervals over truths.",
    )


def _size(row: dict[str, Any], largest: int) -> Cell:
    """Return the rows needed with their interval; a word where no size of the suite suffices."""
    if row["low"] == float("inf"):
        return f"more than {largest:,}"
    words = [f"more than {largest:,}" if row[name] == float("inf") else f"{row[name]:,.0f}" for name in ENDS]
    return Number(row["size"], 0, low=row["low"], high=row["high"], words=words[0], ends=(words[1], words[2]))


def _costs_table(profile: ProfileFindings) -> Table:
    rows = [
        (
            WIDTHS[row["width"]],
            whole(row["n_train"]),
            *_cost_cells(row),
        )
        for row in profile.costs.table.to_dict("records")
    ]
    return Table(
        "Milliseconds of fit and forecast",
        ("truths", "rows", "fit", "forecast", "times CategoricalNB"),
        tuple(rows),
        note="One thread. Medians, in brackets ranges over kinds of truths. Times depend on the machine.",
        grouped=True,
    )


def _cost_cells(row: Mapping[Any, Any]) -> tuple[Cell, ...]:
    """Return milliseconds of a fit with their range, of a forecast, and how they compare."""
    fit, low, high = (row[name] * 1000 for name in ("fit", "fit_low", "fit_high"))
    return (
        number(fit, 1, interval=(low, high)),
        number(row["predict"] * 1000, 1),
        number(row["ratio"], 1, interval=(row["ratio_low"], row["ratio_high"])),
    )


def _scaling(profile: ProfileFindings) -> Iterator[Part]:
    if profile.costs.scaling.empty:
        return
    rows: list[tuple[Cell, ...]] = [
        (
            str(row["axis"]),
            whole(row["value"]),
            *_cost_cells(row),
        )
        for row in profile.costs.scaling.to_dict("records")
    ]
    powers = [f"{axis} to about the power {power:.1f}" for axis, power in profile.costs.exponents.items()]
    yield Table(
        "Milliseconds with more columns, and with more classes",
        ("of", "number", "fit", "forecast", "times CategoricalNB"),
        tuple(rows),
        note=(
            "1,000 rows of random naive Bayes truths, with 8 columns while classes grow and 2 classes while "
            "columns grow. Medians of three fits, in brackets their ranges."
            + (f" Seconds of a fit grow with {and_of(powers)}." if powers else "")
        ),
        grouped=True,
    )


def _invariances(profile: ProfileFindings) -> Iterator[Part]:
    found = profile.invariances
    if found is None:
        return
    yield from (Text(sentence) for sentence in found.sentences)
    columns: list[tuple[str, Callable[[Any], Cell]]] = [
        ("check", printable),
        ("rows", printable),
        ("verdict", printable),
        ("change (bits)", lambda value: number(value, 4)),
        ("largest difference", lambda value: number(value, 4)),
        ("note", printable),
    ]
    rows = [tuple(form(row[name]) for name, form in columns) for row in found.table.to_dict("records")]
    yield Table("Checks", tuple(name for name, _ in columns), tuple(rows))


def _method(profile: ProfileFindings) -> Iterator[str]:
    yield from profile.notes
    yield (
        f"The median half width of the map's intervals is {profile.kinds.half_width:.3f} bits. All learners "
        "had the same truths and rows. If the attribute space is small, scores are expectations over the "
        "whole space. Intervals are nominally simultaneous at 95%. In simulations with losses as skewed as "
        "those of the reference learners, all intervals of a map contained the true values in about 92% of "
        "profiles, and all intervals for effects of parameters in about 88%."
    )
