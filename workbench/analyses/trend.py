"""Effects of a parameter of the sources on scores, and on differences between learners."""

import inspect
import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from generators.altered import ALTERATIONS
from generators.base.generator import current_names
from generators.tables.caller import user_level
from generators.targeted import TARGETS
from workbench.analyses._shared.subjects import check_learners, subjects_of
from workbench.base import catalogue
from workbench.base.errors import (
    Confounded,
    LeftOutWarning,
    Untested,
    WorkbenchError,
    check_known,
    nearest,
)
from workbench.base.names import learner_name
from workbench.base.score_key import ScoreKey
from workbench.base.text import and_of, count_of
from workbench.comparisons._shared.base import LEVEL, ROUNDING, without_rounding
from workbench.comparisons._shared.multiplicity import holm

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["Trend"]

Values = NDArray[np.float64]
#: What identifies a source, as `StudyDocument.sources` has it: of given truths, one for each.
Identity: TypeAlias = Mapping[str, Any] | Sequence[Mapping[str, Any]]


class Slope(NamedTuple):
    """The slope of scores against a parameter, with its 95% interval and test. NaN if there is none."""

    slope: float
    low: float
    high: float
    t: float
    df: float
    p: float
    n: int  # truths


@dataclass(frozen=True, eq=False)
class Trend:
    """Slopes of scores and of differences between learners against a parameter of the sources, by size.

    Parameters
    ----------
    parameter : str
        Name of the parameter that differs between the sources.
    levels : mapping of str to float
        The value of the parameter by source, in ascending order.
    score : ScoreKey
        The key of the score.
    unit : str
    pairing : {"truths", "random numbers", ""}
        What the same replicate of different sources has in common: the truth (altered or not), the random
        numbers from which a generator draws truths with different parameters, or nothing.
    table : DataFrame
        One row per size and learner, and one per size and pair of learners (for the difference learner minus
        other). In rows for single learners, other is "". Columns: n_train, learner, other, slope (per unit of
        the parameter), low and high (95% interval), t, df, p, p_holm (over all pairs at all sizes that have a
        test), and n (number of truths, summed over sources if replicates have nothing in common).
    means : DataFrame
        Means by n_train, learner, other and value of the parameter (level), with the half widths of their 95%
        intervals.
    notes : tuple of str
        The warnings that `of` issued.

    Notes
    -----
    Sources are paired if they have the same given truths, the same generator with ``seeds = "shared"``, or
    the same places of a suite. Then each truth has its own slope, by ordinary least squares. The t test is
    for the mean of these slopes, and its degrees of freedom are the number of truths minus 1. Effects that a
    truth has at all levels of the parameter cancel. As replicates are independent, this test is valid whether
    or not levels are correlated.

    If sources are not paired, one least-squares line is fitted to all truths. Its slope is a contrast of the
    means of the sources. The standard error uses the separate variances of the sources, with Welch and
    Satterthwaite's degrees of freedom. For two sources this is Welch's test. Both methods assume a straight
    line.

    Differences between learners, and changes between levels, count as 0 if they can be explained by rounding.
    If all of them are 0, the slope is 0, without a test.

    Two sources at the same level count as two sources, and `means` has their common mean. The slope of a
    learner is over the truths with scores of the learner. The slope of a difference is over the truths with
    scores of both learners.

    Examples
    --------
    >>> from workbench import Source, compare
    >>> noise = {f"noise {level}": Source("x", "tan", {"n_attributes": 3, "label_noise": level},
    ...          seeds="shared") for level in (0.0, 0.2)}
    >>> found = Trend.of(compare(["nb", "tan"], on=noise, sizes=30, n_test=50), "label_noise")
    >>> found.pairing, found.table["df"].tolist()
    ('truths', [9.0, 9.0, 9.0])
    """

    parameter: str
    levels: Mapping[str, float]
    score: ScoreKey
    unit: str
    pairing: str
    table: pd.DataFrame
    means: pd.DataFrame
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        results: "StudyResults",
        parameter: str,
        *,
        score: ScoreKey | str | None = None,
        learners: Sequence[str] | None = None,
    ) -> "Trend":
        """Estimate slopes from the sources that differ in a parameter.

        Parameters
        ----------
        results : StudyResults
            Results of a study on truths.
        parameter : str
            A parameter of the generator, or an alteration such as "label_noise". It must be a number in at
            least two sources. A source that does not name the parameter has its default value.
        score : ScoreKey or str, optional
            The score, as a key or a part of one (see `Results.choose`).
        learners : sequence of str, optional
            By default the compared learners.

        Returns
        -------
        Trend

        Raises
        ------
        WorkbenchError
            If fewer than two sources have different numbers for the parameter, if a source has a single
            truth, if no learner has finite scores on all sources, or if a named learner lacks them.

        Warns
        -----
        Confounded
            If the sources also differ in other parameters.
        LeftOutWarning
            If some sources have no number for the parameter.
        Untested
            If learners, or some of their truths, are left out because finite scores are missing.
        """
        _check_truths(results)
        levels, left_out = _levels(results, parameter)
        scores = _scores(results, list(levels), score, learners)
        scored = {*_scored(scores.table)}
        levels = {source: level for source, level in levels.items() if source in scored}
        _check_differ(parameter, levels, "; ".join(scores.notes))
        identities = [results.study.sources[source] for source in levels]
        others = [*_other_differences(parameter, identities), *scores.rows]
        pairing = _pairing(identities)
        table, means = _fit(levels, scores.table, bool(pairing))
        confounded = f"the sources differ in {and_of(others)} as well as in {parameter}" if others else ""
        notes = _warned({Confounded: confounded, LeftOutWarning: left_out, Untested: "; ".join(scores.notes)})
        unit = results.metric(scores.score.metric).unit
        return cls(parameter, levels, scores.score, unit, pairing, table, means, notes)

    @staticmethod
    def between(
        results: "StudyResults",
        source: str,
        other: str,
        *,
        score: ScoreKey | str | None = None,
        learners: Sequence[str] | None = None,
    ) -> pd.DataFrame:
        """Return the table of differences between two sources. See `Results.contrast`."""
        _check_truths(results)
        check_known("source", (source, other), results.study.source_keys)
        if source == other:
            raise WorkbenchError(f"source and other are both {source!r}: name two different sources")
        scores = _scores(results, [other, source], score, learners)
        if len(_scored(scores.table)) < 2:
            raise WorkbenchError("; ".join(scores.notes))
        is_paired = bool(_pairing([results.study.sources[key] for key in (other, source)]))
        table, _ = _fit({other: 0.0, source: 1.0}, scores.table, is_paired)
        rows = f"the sources differ in {and_of(scores.rows)}" if scores.rows else ""
        _warned({Confounded: rows, Untested: "; ".join(scores.notes)})
        return table.rename(columns={"slope": "difference"})


def _warned(said: Mapping[type[Warning], str]) -> tuple[str, ...]:
    """Issue a warning, and return it."""
    for kind, text in said.items():
        if text:
            warnings.warn(text, kind, stacklevel=user_level())
    return tuple(filter(None, said.values()))


def _check_truths(results: "StudyResults") -> None:
    if not results.design.blocks.independent:
        raise WorkbenchError(
            "the study is of data sets, whose parts share rows and are not independent: use "
            "`Results.differences`, which tests each data set separately"
        )


def _levels(results: "StudyResults", parameter: str) -> tuple[dict[str, float], str]:
    """Return the number of each source for a parameter, ascending, and who is left out, in a sentence."""
    values = {key: _parameters(identity) for key, identity in results.study.sources.items()}
    known = {name for own in values.values() for name in own}
    if parameter not in known:
        raise WorkbenchError(f"unknown parameter {parameter!r} of the sources; {nearest(parameter, known)}")
    levels = {key: float(own[parameter]) for key, own in values.items() if _is_number(own.get(parameter))}
    lacking = [
        f"{key} has {_written(own.get(parameter))}" for key, own in values.items() if key not in levels
    ]
    left_out = f"left out, without a number for {parameter}: {and_of(lacking)}" if lacking else ""
    _check_differ(parameter, levels, left_out)
    return dict(sorted(levels.items(), key=lambda pair: pair[1])), left_out


def _check_differ(parameter: str, levels: Mapping[str, float], left_out: str) -> None:
    if len(set(levels.values())) < 2:
        expected = (
            f"expected at least two sources with different numbers{f' ({left_out})' if left_out else ''}"
        )
        raise WorkbenchError(f"no two sources differ in {parameter!r}: {expected}")


def _written(value: object) -> str:
    """Write a value that is not a number, with ranges as in Python."""
    return str(tuple(value)) if isinstance(value, list) else "none" if value is None else str(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _parameters(identity: Identity) -> dict[str, Any]:
    """Return all parameters of a source with their values: its own, otherwise the defaults."""
    one = _first(identity)
    if "generator" not in one:
        return {**ALTERATIONS, **_named(identity)}
    try:
        options = inspect.signature(catalogue.find("generators", one["generator"])).parameters.values()
    except WorkbenchError:  # of a package, or a file, that is not here
        return _named(identity)
    if any(option.kind is option.VAR_KEYWORD for option in options):  # alterations, too, are its own
        return _named(identity)
    defaults = {option.name: option.default for option in options if option.name != "random_state"}
    return {**ALTERATIONS, **defaults, **_named(identity)}


def _named(identity: Identity) -> dict[str, Any]:
    """Return the parameters that a source names, without those at the default."""
    one = _first(identity)
    of_place: Mapping[str, Any] = {}
    if "suite" in one:
        from generators.suites.suite import suite

        of_place = suite(one["suite"]).place(one["place"]).parameters
    named = {**of_place, **one.get("parameters", {}), **one.get("altered", {})}
    return named if "function" in one else current_names(named)


def _first(identity: Identity) -> Mapping[str, Any]:
    """Return the description of a source, whose truths are all altered alike."""
    return identity if isinstance(identity, Mapping) else identity[0]


def _differing(identities: Sequence[Identity]) -> list[str]:
    """Return the parameters that differ between sources, among those that some of them name."""
    values = [_parameters(identity) for identity in identities]
    names = sorted({name for identity in identities for name in _named(identity)})
    return [name for name in names if any(own.get(name) != values[0].get(name) for own in values)]


def _other_differences(parameter: str, identities: Sequence[Identity]) -> Iterator[str]:
    """Report other differences between sources."""
    yield from (name for name in _differing(identities) if name != parameter)
    made = [_made(identity) for identity in identities]
    if all(own == made[0] for own in made):
        return
    first = [_first(identity) for identity in identities]
    kinds = sorted({str(one.get("generator", one.get("place", "given truths"))) for one in first})
    numbers = sorted({len(own) for own in made})
    if len(kinds) > 1:
        yield f"the generator ({and_of(kinds)})"
    elif len(numbers) > 1:
        yield f"the number of truths ({and_of([str(n) for n in numbers])})"
    else:
        yield "the given truths"


def _made(identity: Identity) -> list[Mapping[str, Any]]:
    """Return what determines the truths of a source, without its parameters and the random numbers."""
    several = [identity] if isinstance(identity, Mapping) else identity
    # places with a word for their rows are levels of a knob, which share what the knob leaves
    apart = {"parameters", "altered", "seeds"}
    return [
        {key: own[key] for key in own if key not in apart and not (key == "place" and "rows" in own)}
        for own in several
    ]


def _pairing(identities: Sequence[Identity]) -> str:
    """Return what the same replicates of sources share. Empty if they are independent."""
    made = [_made(identity) for identity in identities]
    own_numbers = any("generator" in _first(one) and "seeds" not in _first(one) for one in identities)
    if own_numbers or any(one != made[0] for one in made):
        return ""
    # a truth is drawn before it is altered; but bounds may refuse one that is altered and keep another
    bounded = any(name in TARGETS for identity in identities for name in _named(identity))
    return "random numbers" if bounded or {*_differing(identities)} - {*ALTERATIONS} else "truths"


class _LevelScores(NamedTuple):
    """The scores of the learners that have finite ones on every source."""

    score: ScoreKey
    table: pd.DataFrame  # index source, n_train, replicate; NaN where a learner has none
    rows: list[str]  # which rows are scored, if not the same for all sources
    notes: list[str]  # who is left out


def _scores(
    results: "StudyResults",
    sources: Sequence[str],
    score: ScoreKey | str | None,
    learners: Sequence[str] | None,
) -> _LevelScores:
    """Read scores by truth."""
    check_learners(results, learners or ())
    key, wanted = results.choose(score), results.study.compared_learners(learners)
    table, rows = _read(results, sources, key, wanted), []
    without = [source for source in sources if source not in _scored(table)]
    if without and key.rows == "exact":  # too large to be enumerated
        sampled = _read(results, without, key._replace(rows="test"), wanted)
        table, found = table.fillna(sampled), _scored(sampled)
        if 0 < len(found) < len(sources):
            rows = [f"the rows scored ({and_of(found)}: test, not exact)"]
        without = [source for source in without if source not in found]
    notes = [f"{source} is left out: no score" for source in without]
    table = table.drop(index=without, level="source")
    left_out = {learner: why for learner in wanted if (why := _why_left_out(table[learner]))}
    notes += [f"{learner_name(learner)} is left out: {why}" for learner, why in left_out.items()]
    if len(left_out) == len(wanted) or (learners and left_out):
        raise WorkbenchError("; ".join(notes) or "no learner is compared: name some with learners=")
    table = table.drop(columns=list(left_out))
    return _LevelScores(key, table, rows, [*notes, *_lacking(table)])


def _read(
    results: "StudyResults", sources: Sequence[str], score: ScoreKey, learners: Sequence[str]
) -> pd.DataFrame:
    table = subjects_of(results, score, learners).droplevel("fold").sort_index()
    return table[table.index.get_level_values("source").isin(sources)]


def _scored(table: pd.DataFrame) -> list[str]:
    """Return the sources with a score."""
    return [source for source, own in table.groupby("source") if own.notna().any(axis=None)]


def _why_left_out(scores: pd.Series) -> str:
    """Return why a learner cannot be compared at all levels. Empty if it can."""
    infinite = np.isinf(scores).groupby("source").sum()
    if infinite.any():
        counts = [f"{count_of(n, 'cell')} of {source}" for source, n in infinite[infinite > 0].items()]
        return f"infinite score in {and_of(counts)} (with clipping it is finite)"
    none = scores.isna().groupby(["source", "n_train"]).all()
    places = [f"{source} with {size} rows" for source, size in none[none].index]
    return f"no score on {and_of(places)}" if places else ""


def _lacking(table: pd.DataFrame) -> Iterator[str]:
    """Report which learners lack scores on some truths."""
    for source, own in table.groupby("source"):
        lacks = own.isna().groupby("replicate").any()
        if len(lacks) < 2:
            raise WorkbenchError(
                f"{source} has one truth, but a test needs two or more truths of each source"
            )
        for learner, n in lacks.sum().items():
            if n:
                yield (
                    f"{learner_name(str(learner))} has no score on {n} of the {len(lacks)} truths of {source}"
                )


def _fit(
    levels: Mapping[str, float], scores: pd.DataFrame, is_paired: bool
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return slopes and means of scores (source, n_train, replicate) by learner, and of differences."""
    learners, x = list(scores), np.array(list(levels.values()))
    sizes = set.intersection(*({*scores.loc[source].index.get_level_values("n_train")} for source in levels))
    if not sizes:
        raise WorkbenchError(
            f"{and_of(list(levels))} have no number of training rows in common: run them with common sizes"
        )
    rows, means = [], []
    pairs = [*((learner, "") for learner in learners), *combinations(learners, 2)]
    for size, (learner, other) in product(sorted(sizes), pairs):
        values = _leads(scores, learner, other) if other else scores[learner]
        own = [values.loc[source, size].dropna() for source in levels]
        if is_paired:  # over the truths that all levels have
            ys = list(pd.concat(own, axis=1, join="inner").to_numpy().T)
        else:
            ys = [y.to_numpy() for y in own]
        rows.append((size, learner, other, *(_of_truths if is_paired else _of_levels)(x, ys)))
        for level in np.unique(x):
            at_level = [y for y, place in zip(ys, x, strict=True) if place == level]
            merged = np.mean(at_level, axis=0) if is_paired else np.concatenate(at_level)
            means.append((size, learner, other, level, *_mean(merged)))
    table = pd.DataFrame(rows, columns=["n_train", "learner", "other", *Slope._fields])
    tested = (table["other"] != "") & table["p"].notna()
    table["p_holm"] = np.nan
    table.loc[tested, "p_holm"] = holm(table.loc[tested, "p"].to_numpy())
    return table, pd.DataFrame(means, columns=["n_train", "learner", "other", "level", "mean", "half_width"])


def _leads(scores: pd.DataFrame, learner: str, other: str) -> pd.Series:
    """Return the differences of two learners, 0 where rounding explains them."""
    values, largest = scores[learner] - scores[other], scores[[learner, other]].abs().max(axis=1)
    return values.mask(values.abs() <= ROUNDING * largest.clip(lower=1.0), 0.0)


def _deviations(y: Values, mean: Values) -> Values:
    """Return the deviations from means, zeros if rounding explains all of them."""
    return without_rounding(y - mean, ROUNDING * np.maximum(1.0, np.abs(y)))


def _of_truths(x: Values, ys: Sequence[Values]) -> Slope:
    """Return the mean of each truth's slope, where ys are the scores of the same truths at each level."""
    y, centered = np.column_stack(ys), x - x.mean()
    slopes = _deviations(y, y.mean(axis=1, keepdims=True)) @ centered / (centered @ centered)
    n = len(slopes)
    error = float(slopes.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan
    return _tested(float(slopes.mean()) if n else math.nan, error, n - 1, n)


def _of_levels(x: Values, ys: Sequence[Values]) -> Slope:
    """Return the slope of one line through independent truths, as a contrast of the means of levels."""
    n = np.array([len(y) for y in ys])
    if n.min() < 2:
        return _tested(math.nan, math.nan, math.nan, int(n.sum()))
    every = np.concatenate(ys)
    ys = np.split(_deviations(every, every.mean()), n.cumsum()[:-1])
    centered = x - np.average(x, weights=n)
    weights = n * centered / (n @ centered**2)
    parts = weights**2 * np.array([y.var(ddof=1) for y in ys]) / n
    error, freedom = math.sqrt(parts.sum()), float((parts**2 / (n - 1)).sum())
    df = float(parts.sum()) ** 2 / freedom if freedom > 0 else math.nan
    return _tested(float(weights @ [y.mean() for y in ys]), error, df, int(n.sum()))


def _tested(slope: float, error: float, df: float, n: int) -> Slope:
    if not error > 0:  # no spread, or one truth: no test
        return Slope(slope, math.nan, math.nan, math.nan, float(df), math.nan, n)
    t, half = slope / error, float(stats.t.ppf(1 - LEVEL / 2, df)) * error
    return Slope(slope, slope - half, slope + half, t, float(df), 2 * float(stats.t.sf(abs(t), df)), n)


def _mean(y: Values) -> tuple[float, float]:
    """Return a mean and the half width of its 95% interval."""
    if len(y) < 2:
        return float(y.mean()) if len(y) else math.nan, math.nan
    return float(y.mean()), float(stats.t.ppf(1 - LEVEL / 2, len(y) - 1) * y.std(ddof=1) / math.sqrt(len(y)))
