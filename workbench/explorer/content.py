"""What a page holds: the study, its scores in words, and their numbers."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import stdtrit

from workbench.analyses._shared.paired_scores import nominal_shares
from workbench.base.names import learner_name, source_name
from workbench.base.score_key import ScoreKey
from workbench.base.text import count_of
from workbench.comparisons import LEVEL
from workbench.explorer.layout import PageLayout
from workbench.explorer.packing import Packed, pack, packed_scores
from workbench.figures._shared.style import GREY, SERIES, looks
from workbench.report.provenance import footer_of
from workbench.report.words import score_notes
from workbench.store.results import StudyResults

__all__ = ["described_score", "described_study", "ordered_keys", "packed"]

#: Steps of 1 / df of the table of critical values: a page draws a line between two of them.
STEPS = 512


def ordered_keys(results: StudyResults, score: ScoreKey | str | None) -> list[ScoreKey]:
    """Return the scores of a study: first the one to open with, then one of each metric, then the others."""
    first = results.choose(score)
    metrics = dict.fromkeys(key.metric for key in results.score_keys)
    return list(dict.fromkeys([first, *map(results.choose, metrics), *results.score_keys]))


def packed(results: StudyResults, layout: PageLayout, key: ScoreKey, octets: int) -> tuple[Packed, list[int]]:
    """Pack a score, and list the sources scored on test rows, as their spaces cannot be enumerated."""
    values = layout.values(results.scores(key))
    instead: list[int] = []
    on_test = key._replace(rows="test")
    if key.rows == "exact" and on_test in results.score_keys:
        others = layout.values(results.scores(on_test))
        instead = [i for i, own in enumerate(values) if np.isnan(own).all() and not np.isnan(others[i]).all()]
        values = [others[i] if i in instead else own for i, own in enumerate(values)]
    return packed_scores(values, octets), instead


def described_study(results: StudyResults, layout: PageLayout) -> dict[str, Any]:
    """Describe a study as plain data for the page's script."""
    # NaN, which JSON lacks: there are no intervals
    shares = {key: None if np.isnan(share) else share for key, share in nominal_shares(results).items()}
    own_sizes = layout.own_sizes()
    name = source_name if layout.by.has_sizes else str
    sources = [
        {"key": key, "name": name(key), "units": n, "share": shares.get(key, 0.0), "rows": own_sizes[i]}
        for i, (key, n) in enumerate(zip(layout.sources, layout.n_units, strict=True))
    ]
    return {
        "study": results.study.name,
        "about": _about(results, layout),
        "footer": footer_of(results),
        "unit": layout.by.one,
        "units": layout.by.many,
        "has_sizes": layout.by.has_sizes,
        "head": "Sources" if layout.by.has_sizes else layout.by.sources.capitalize(),
        "interval": _interval(results),
        "sources": sources,
        "learners": list(_learners(results, layout)),
        "sizes": list(layout.sizes) or [None],
        "critical": _critical_values(),
        "cells": pack([layout.states().astype(np.float64)]),
    }


def described_score(results: StudyResults, key: ScoreKey, forms: tuple[str, ...], on_test: list[int]) -> Any:
    """Describe a score as plain data."""
    facts = results.metric(key.metric)
    return {
        **key._asdict(),
        "key": str(key),
        "words": key.words,
        "unit": facts.unit,
        "sign": facts.sign,
        "about": [facts.explained(key.name), *score_notes([key])],
        "forms": forms,
        "on_test": on_test,
    }


def _about(results: StudyResults, layout: PageLayout) -> str:
    states = layout.cells["state"].value_counts()
    parts = [
        results.study.counted_learners,
        count_of(len(layout.sources), layout.by.source, layout.by.sources),
        f"{len(layout.cells):,} {'cell' if len(layout.cells) == 1 else 'cells'}",
    ]
    told = {"failed": "failed", "timed_out": "timed out", "pending": "still to be computed"}
    parts += [f"{states[state]:,} {words}" for state, words in told.items() if states.get(state)]
    return ", ".join(parts)


def _interval(results: StudyResults) -> str:
    """Say in a clause what the intervals are."""
    by = results.design.blocks
    if by.independent:
        return f"single 95% t interval of each mean, over the {by.many} of a source"
    if not results.design.test.holds:
        return f"none. {results.design.note.rstrip('.')}"
    return (
        "single 95% t interval of each mean, with Nadeau and Bengio's correction for the rows that the "
        f"{by.many} of a {by.source} share. Reports use {results.design.test.name}"
    )


def _learners(results: StudyResults, layout: PageLayout) -> Iterator[dict[str, Any]]:
    """Yield the learners, with the look that they have in figures."""
    compared = set(results.study.compared_learners())
    own = [key for key in layout.learners if key in compared]
    found = looks(own, [key for key in layout.learners if key not in compared])
    for key in layout.learners:
        look = found[key]
        yield {
            "key": key,
            "name": learner_name(key),
            "color": -1 if look.color == GREY else SERIES.index(look.color),
            "marker": look.marker,
            "dash": [] if look.line == "-" else list(look.line[1]),
            "knows": key in results.study.ceilings,
        }


def _critical_values() -> list[float]:
    """Return Student's critical values at 0, 1, ... `STEPS` times 1 / (STEPS df)."""
    df = STEPS / np.arange(1, STEPS + 1)
    found = [float(stdtrit(np.inf, 1 - LEVEL / 2)), *stdtrit(df, 1 - LEVEL / 2).tolist()]
    return [float(f"{value:.8g}") for value in found]
