"""A profile in plain words, computed from its findings."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from workbench.base.text import and_of
from workbench.profiles.entrants import profiled_name
from workbench.profiles.findings import ProfileFindings
from workbench.profiles.kinds import ALL
from workbench.profiles.knobs import KNOBS, levels_of
from workbench.profiles.words import duration, kind_words, place_words

__all__ = ["sentences_of"]

#: Bits below which a loss is not worth a sentence, and how many of the others are named.
WORTH_SAYING, MOST_NAMED = 0.02, 4
#: A learner is near that is within this share of the distance to the median one.
NEAR = 1 / 2
#: Probability by which forecasts are too sure, and bits by which they are too cautious, to be said.
TOO_SURE, TOO_CAUTIOUS = 0.01, 0.02
#: Fewer rows show no interaction to anybody.
LEAST_FOR_BLINDNESS = 500
#: Sizes that sentences speak of, besides the largest at which all learners are ranked.
SPOKEN = (50, 500, 5000)


def sentences_of(profile: ProfileFindings) -> tuple[str, ...]:
    """Say what a profile found, the most important first."""
    return (
        *_place(profile),
        *_likeness(profile),
        *_knobs(profile),
        *_interactions(profile),
        *_confidence(profile),
        *_rows(profile),
        *_cost(profile),
        *(profile.invariances.sentences if profile.invariances is not None else ()),
    )


def _place(profile: ProfileFindings) -> Iterator[str]:
    """Say what is lost over the whole map, and on which kinds the learner stands high and low."""
    table = profile.kinds.table
    overall = table[table["kind"] == ALL]
    complete = overall["n_train"][overall["n_ranked"] == overall["n_ranked"].max()]
    overall = overall[overall["n_train"].isin({*SPOKEN, complete.max()})]
    parts = [
        f"{row.regret:.3f} bits ({row.low:.3f} to {row.high:.3f}) with {row.n_train:,} training rows "
        f"({place_words(row.rank_low, row.rank_high, row.n_ranked)})"
        for row in overall.itertuples()
    ]
    if parts:
        yield f"Averaged over all kinds of truth, {profiled_name(profile.learner)} loses {and_of(parts)}."
        yield f"{_baseline(profile)}{_fewer(overall)}"
        yield from _by_brier(overall)
    last = table[(table["n_train"] == overall["n_train"].max()) & (table["kind"] != ALL)]
    if len(last) > 1:
        order = last.assign(middle=last["rank_low"] + last["rank_high"]).sort_values("middle", kind="stable")
        best, worst = order.iloc[0], order.iloc[-1]
        half = best["n_ranked"] / 2
        if best["rank_high"] <= half < worst["rank_low"] and best["brier_high"] < worst["brier_low"]:
            yield (
                f"With {best['n_train']:,} rows it ranks best on {kind_words(best['kind'])} truths, "
                f"{place_words(best['rank_low'], best['rank_high'], best['n_ranked'])}, and worst on "
                f"{kind_words(worst['kind'])} truths, "
                f"{place_words(worst['rank_low'], worst['rank_high'], worst['n_ranked'])}."
            )


def _baseline(profile: ProfileFindings) -> str:
    """Say to what bits are lost."""
    table = profile.kinds.table
    without = dict.fromkeys(table["kind"][(table["to"] == "truth") & (table["kind"] != ALL)])
    if not without:
        return "Losses are relative to the optimum."
    named = and_of([kind_words(kind) for kind in without])
    return f"Losses are relative to the optimum, on {named} truths relative to the truth."


def _fewer(overall: pd.DataFrame) -> str:
    """Say where fewer learners are ranked, as slow ones have no scores there."""
    most = overall["n_ranked"].max()
    fewer = overall["n_train"][overall["n_ranked"] < most]
    if not len(fewer):
        return ""
    return (
        f" With {fewer.min():,} rows or more, fewer learners are ranked, because slow ones were not fitted."
    )


def _by_brier(overall: pd.DataFrame) -> Iterator[str]:
    """Say where the quadratic loss, which bounds what a wrong certainty costs, gives another place."""
    parts = [
        f"{place_words(row.brier_low, row.brier_high, row.n_ranked)} with {row.n_train:,} rows"
        for row in overall.itertuples()
        if row.brier_low > row.rank_high or row.brier_high < row.rank_low
    ]
    if parts:
        yield f"By Brier score, which limits the cost of wrong certainty, its rank is {and_of(parts)}."


def _likeness(profile: ProfileFindings) -> Iterator[str]:
    """Say which other learner it is like, by size."""
    twins = profile.habits.twins
    if twins:
        named = and_of([f"{profiled_name(key)} on {share:.0%}" for key, share in twins.items()])
        yield f"Its losses equal those of {named} of the map."
        return
    nearest = _near(profile)
    every = profile.habits.table["n_train"].tolist()
    groups = (nearest["learner"] != nearest["learner"].shift()).cumsum()
    spans = [
        f"{profiled_name(own['learner'].iloc[0])} {_span(own['n_train'].tolist(), every)} "
        f"({own['distance'].mean():.3f} bits apart)"
        for _, own in nearest.groupby(groups)
    ]
    if spans:
        yield f"Its losses on the map are most similar to those of {and_of(spans)}."
    else:
        yield "No reference learner has a similar loss profile."


def _near(profile: ProfileFindings) -> pd.DataFrame:
    """Return the nearest other learner of each size at which it is nearer than most."""
    typical = profile.habits.neighbors.groupby("n_train")["distance"].median()
    nearest = profile.habits.nearest()
    return nearest[nearest["distance"] < NEAR * nearest["n_train"].map(typical)]


def _knobs(profile: ProfileFindings) -> Iterator[str]:
    """Say what costs most when an assumption is broken, and which companions lose least and most there."""
    refused = _refused(profile)
    every = profile.responses.of(profile.learner)
    every = every[~every["probe"].isin(refused)]  # where it was the class frequencies that were scored
    # small training sets make every knob costly: the largest that all knobs have says what rows do not cure
    common = every.groupby("probe")["n_train"].max().min()
    own = every[(every["n_train"] == common) & (every["low"] > 0) & (every["effect"] >= WORTH_SAYING)]
    worst = own.sort_values("effect", ascending=False).head(MOST_NAMED)
    parts = [_effect(profile, row) for _, row in worst.iterrows()]
    if parts:
        among = ""
        if len(profile.companions) > 1:
            names = and_of(list(map(profiled_name, profile.companions)))
            among = f" In square brackets: the least and the greatest loss among {names}."
        yield f"It loses {and_of(parts)}.{among}"
    if refused:
        named = and_of([KNOBS[probe].loses(level) for probe, level in refused.items()])
        yield f"It fails on {named}. There it is scored as if it had forecast the class frequencies."
    ends = every.groupby("probe", sort=False).agg({"low": "min", "high": "max"})
    calm = ends[(ends["low"] > -WORTH_SAYING) & (ends["high"] < WORTH_SAYING)]
    if len(calm):
        strongest = every.groupby("probe")["level"].first()
        named = and_of([KNOBS[str(probe)].loses(strongest[probe]) for probe in calm.index])
        yield f"It loses less than {WORTH_SAYING} bits to {named}."


def _effect(profile: ProfileFindings, row: pd.Series) -> str:
    words = (
        f"{row['effect']:.2f} bits ({row['low']:.2f} to {row['high']:.2f}) to "
        f"{KNOBS[row['probe']].loses(row['level'])} with {row['n_train']:,} rows"
    )
    others = profile.responses.effects
    same = others[
        (others["probe"] == row["probe"])
        & (others["n_train"] == row["n_train"])
        & (others["level"] == row["level"])
        & others["learner"].isin(profile.companions)
    ]
    if same.empty:
        return words
    order = same.sort_values("effect")
    ends = [
        f"{profiled_name(row['learner'])} {row['effect']:.2f}" for _, row in order.iloc[[0, -1]].iterrows()
    ]
    return f"{words} [{', '.join(ends)}]" if len(order) > 1 else words


def _refused(profile: ProfileFindings) -> dict[str, Any]:
    """Return the probes to whose strongest level it could mostly not be fitted, and this level."""
    found = {}
    for probe, levels in levels_of(profile.scores).items():
        level, at = levels[-1]
        places = [profile.scores.content.place(profile.scores.places[i]) for i in at]
        n_cells = sum(len(profile.part.sizes(place)) for place in places) * profile.part.n_truths
        if profile.failed["source"].isin([place.key for place in places]).sum() > n_cells / 2:
            found[probe] = level
    return found


def _interactions(profile: ProfileFindings) -> Iterator[str]:
    """Say of how many attributes an interaction is seen, with the most rows."""
    table = profile.responses.table
    own = table[(table["probe"] == "interaction") & (table["learner"] == profile.learner)]
    if own.empty:
        return
    size = own["n_train"].max()
    if size < LEAST_FOR_BLINDNESS:
        return
    blind = [
        f"{row.level:.0f}-way"
        for row in own[own["n_train"] == size].itertuples()
        if row.level > 1 and row.is_blind
    ]
    if blind:
        yield f"With {size:,} rows it does not detect {and_of(blind)} interactions."


def _confidence(profile: ProfileFindings) -> Iterator[str]:
    """Say at which sizes forecasts are too sure or too cautious."""
    table = profile.habits.table
    if table.empty:
        return
    sizes = table["n_train"].tolist()
    for word, there in (
        # who hardly separates the classes yet is no more sure than the class frequencies
        (
            "overconfident",
            (table["confidence_low"] > TOO_SURE) & (table["caution_low"] <= TOO_CAUTIOUS),
        ),
        ("underconfident", table["confidence_high"] < -TOO_SURE),
    ):
        own = table[there]
        if len(own):
            most = own.loc[own["confidence"].abs().idxmax()]
            seldom = "less" if word == "overconfident" else "more"
            top = f", most with {int(most['n_train']):,} rows" if len(own) > 1 else ""
            yield (
                f"It is {word} {_span(own['n_train'].tolist(), sizes)}{top}. "
                f"The predicted classes occur {abs(most['confidence']):.2f} {seldom} often than forecast, "
                "after subtracting the same difference of the optimum."
            )
    last = table.iloc[-1]
    if last["caution_low"] > TOO_CAUTIOUS:
        yield (
            f"With {int(last['n_train']):,} rows its forecasts are {last['caution']:.2f} bits "
            f"({last['caution_low']:.2f} to {last['caution_high']:.2f}) higher in entropy than those of the "
            "optimum."
        )


def _rows(profile: ProfileFindings) -> Iterator[str]:
    needs = profile.needs
    if needs.empty:
        return
    half = needs[needs["share"] == 0.8]
    reached = half[np.isfinite(half["size"])].sort_values("size")
    never = [kind_words(kind) for kind in half["kind"][~np.isfinite(half["size"])]]
    if not len(reached):
        largest = max(profile.scores.sizes)
        yield f"On no kind does it reach 80% of the attainable bits with {largest:,} rows."
        return
    first, last = reached.iloc[0], reached.iloc[-1]
    to = f" to {last['size']:,.0f} on {kind_words(last['kind'])} truths" if len(reached) > 1 else ""
    most = "at most " if first["size"] <= min(profile.scores.sizes) else ""
    parts = [f"{most}{first['size']:,.0f} rows on {kind_words(first['kind'])} truths{to}"]
    if never:
        parts.append(f"more than {max(profile.scores.sizes):,} on {and_of(never)} truths")
    yield f"For 80% of the attainable bits it needs {and_of(parts)}."


def _cost(profile: ProfileFindings) -> Iterator[str]:
    table = profile.costs.table
    if table.empty:
        return
    last = table[table["width"] == "wide"].iloc[-1]
    fit, quick, slow = (duration(last[name]) for name in ("fit", "fit_low", "fit_high"))
    times, low, high = (f"{last[name]:.2g}" for name in ("ratio", "ratio_low", "ratio_high"))
    powers = [f"the {axis} to about the power {power:.1f}" for axis, power in profile.costs.exponents.items()]
    grows = f" The time of a fit grows with {and_of(powers)}." if powers else ""
    yield (
        f"A fit of {int(last['n_train']):,} rows of many attributes takes {fit} here ({quick} to {slow} over "
        f"kinds of truths). Fit and forecast together take {times} times as long as CategoricalNB ({low} to "
        f"{high}).{grows}"
    )


def _span(sizes: Sequence[int], every: Sequence[int]) -> str:
    """Return a run of sizes in words, given all of them."""
    if list(sizes) == list(every):
        return "at all sizes"
    if len(sizes) == 1:
        return f"with {sizes[0]:,} rows"
    if list(sizes) == list(every[: len(sizes)]):
        return f"with up to {sizes[-1]:,} rows"
    if list(sizes) == list(every[-len(sizes) :]):
        return f"with {sizes[0]:,} rows or more"
    return f"with {sizes[0]:,} to {sizes[-1]:,} rows"
