"""The distance of learners from the best possible forecast: irreducible loss and regret."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.analyses._shared.attainable import check_has_optimum
from workbench.analyses._shared.paired_scores import PairedScores, paired_scores
from workbench.analyses._shared.subjects import behind_number, check_learners, truths_of
from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_name, source_name, spoken_name
from workbench.base.score_key import ScoreKey
from workbench.base.text import and_of, truncate
from workbench.comparisons import mean_intervals, stratified_mean

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["Regret"]

#: The parts of the distance to the truth, as a sentence gives them.
REASONS = {
    "irreducible": "irreducible",
    "structure_regret": "structure regret",
    "learner_regret": "learner regret",
}
#: The same where not all truths have a score of the mix, though the study has one.
UNDIVIDED = {
    "irreducible": REASONS["irreducible"],
    "regret": "regret",
}
#: What is split, the first that is known: to whom it is lost, and the columns of its interval.
WHOLES = {
    "to_truth": ("the truth", "to_truth_low", "to_truth_high"),
    "regret": ("the optimum", "low", "high"),
}
#: Columns of which `over_kinds` has means, and what they are called there.
WITH_ENDS = ("to_truth", "irreducible", "structure_regret", "learner_regret", "regret")
OVER_KINDS = [
    *(f"{name}{end}" for name in WITH_ENDS[:-1] for end in ("", "_low", "_high")), "regret", "low", "high",
]  # fmt: skip
#: Columns of a summary.
SUMMARY = ["source", "n_train", "learner", *WITH_ENDS, "low", "high", "n"]
#: Differences up to this come from two ways of computing the same forecast.
SAME = 1e-9

#: Chains with an R-hat up to this agree.
AGREEING = 1.1

#: How the runs of a study note that a source has no optimum.
NONE = "none"

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Regret:
    """The regret of learners relative to the best possible forecast, and the irreducible loss of the latter.

    On every truth the difference between the scores of the truth and of a learner is a sum of losses::

        truth - learner = (truth - optimal)    irreducible: the loss of the optimum
                        + (optimal - mix)      structure_regret: the cost of not knowing the kind of truth
                        + (mix - learner)      learner_regret: the loss of the learner

        regret = optimal - learner             the sum of the last two

    The optimum is the best forecast given the law (distribution) from which the truth was drawn. The mixture
    (mix) is the best forecast given only the set of laws in the study. In a study without the mixture, the
    regret is not divided. For losses all signs are reversed. A learner's regret relative to the mixture can
    be negative on a kind of truth whose assumptions the learner makes: see `over_kinds`.

    The regret is defined for scores by which the optimum has the best expectation: proper scores that are
    means over rows, and accuracy. After a cut-off this holds only approximately.

    Parameters
    ----------
    experiments : tuple of PairedScores
        The scores, with one item for each source.
    table : DataFrame
        One row per source, size and learner. Columns: source, n_train, learner; mean, truth, optimal, mix
        (mean scores of the learner, the truth, the optimum and the mixture); to_truth, irreducible,
        structure_regret, learner_regret (mean losses), each with the ends of its interval, such as
        to_truth_low and to_truth_high; regret with its ends low and high; above (whether the learner is
        significantly better than the optimum); mc_error (Monte Carlo standard error of the optimum's mean: 0
        if it is exact, NaN if unknown); n (truths); n_mix (truths with a score of the mixture). Values are
        NaN if the study lacks the scores for them.
    notes : tuple of str
        Sentences on what was left out and why, on sources without an optimum, and on learners above the
        optimum.

    See Also
    --------
    BestMap : computes the probability that the best learner is close to the optimum.
    SampleComplexity : computes the training size that is needed for a share of the optimum's score.

    Notes
    -----
    All means of a row are over the same n truths: those with finite scores of the learners, the truth and the
    optimum. If the mixture has scores on only some of these truths, mix, structure_regret and learner_regret
    are means over those n_mix truths, and do not add up to the regret. If the mixture has no scores in this
    row but has scores elsewhere, these three are NaN, and the regret is not divided. In all other rows the
    losses add up.

    Intervals are Student's t over truths. For each of the five losses they are simultaneous at 95% over the
    learners and sizes of a source (Bonferroni). They include the Monte Carlo error of a sampled optimum,
    because this error varies between truths.

    The optimum is best on average over the truths of a law and their training rows. On some truths a learner
    may have a better score. The mixture is best on average over all kinds, if their truths have the same
    attributes, values and classes. On a single kind, a learner that assumes this kind may be better than the
    mixture. Then learner_regret is negative.

    References
    ----------
    .. [1] J. M. Bernardo, A. F. M. Smith, "Bayesian theory", 1994, section 6.1.

    Examples
    --------
    >>> import numpy as np
    >>> score = ScoreKey("ir_b", "marginal", "exact", "none")
    >>> values = np.array([[[0.5], [0.6]], [[0.7], [0.8]]])
    >>> yardsticks = {"truth": np.array([[1.0], [1.2]]), "optimal": np.array([[0.7], [0.8]])}
    >>> experiment = PairedScores(
    ...     "tan", score, ("nb", "tan"), (50,), (0, 1), values, yardsticks, truth="truth", optimal="optimal"
    ... )
    >>> found = Regret.of([experiment])
    >>> found.table[["learner", "to_truth", "irreducible", "learner_regret", "regret"]].round(2)
      learner  to_truth  irreducible  learner_regret  regret
    0      nb       0.5         0.35            0.15    0.15
    1     tan       0.4         0.35            0.05    0.05
    """

    experiments: tuple[PairedScores, ...]
    table: pd.DataFrame
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, experiments: Sequence[PairedScores], *, mc: Mapping[str, Array] | None = None) -> "Regret":
        """Split the difference between the truth and each learner into irreducible loss and regret.

        Parameters
        ----------
        experiments : sequence of PairedScores
            Scores by the same key. The truth and the optimum must be among the learners in `alongside`. At
            each size, a truth on which a learner's score is not finite is left out for all learners, with a
            note.
        mc : mapping of str to ndarray of shape (n_replicates, n_sizes), optional
            By source, the Monte Carlo standard error of the optimum's score on each truth and at each size.

        Returns
        -------
        Regret
            The losses. Intervals are NaN for one truth.

        Raises
        ------
        WorkbenchError
            If there are no experiments, if the optimum is not guaranteed to be the best forecast by their
            score, or if at some size no truth has finite scores of all learners.
        """
        if not experiments:
            raise WorkbenchError(
                "no experiments are given, so there is nothing to compare with the optimum: pass at least one"
            )
        check_has_optimum(experiments[0].score.metric, experiments[0].metric)
        errors = mc or {}
        notes = [note for one in experiments for note in (*one.notes, *_not_finite(one))]
        has_mix = any(_known(scores.mix).any() for one in experiments for scores in _by_size(one))
        rows = [row for one in experiments for row in _rows(one, errors.get(one.source), has_mix=has_mix)]
        table = pd.DataFrame(rows)
        found = cls(tuple(experiments), table)
        notes += [*_lacking(found), *_unsplit(found), *_above(table)]
        return replace(found, notes=tuple(dict.fromkeys(notes)))

    @classmethod
    def of_results(
        cls,
        results: "StudyResults",
        *,
        score: ScoreKey | str | None = None,
        learners: Sequence[str] | None = None,
        source: str | None = None,
    ) -> "Regret":
        """Split the difference between the truth and each learner of a study, from its results.

        Parameters
        ----------
        results : StudyResults
        score, source : optional
            As in `paired_scores`, with one exception: if the score is infinite for a learner, the same score
            after a cut-off is used. This applies if the study has a cut-off and `score` names none, as in
            `Results.answer`.
        learners : sequence of str, optional
            As in `paired_scores`, but one learner is enough. The truth and the optima are left out.

        Returns
        -------
        Regret

        Raises
        ------
        WorkbenchError
            As for `paired_scores` and `of`. Also if neither the optimum nor the truth is among the learners
            of the study, or if only the truth and optima are named.
        """
        if not (results.study.with_role("optimal") or results.study.with_role("truth")):
            raise WorkbenchError(
                'the study has no scores of the optimum or the truth: add "optimal" and "truth" to its '
                'learners, or only "truth" if its truths have no optimum'
            )
        kept = _without_yardsticks(results, learners)
        chosen = results.choose(score)
        check_has_optimum(chosen.metric, results.metric(chosen.metric))
        experiments = paired_scores(
            results, score=chosen, learners=kept, source=source, at_least=1, independent=True
        )
        found = cls.of(experiments, mc={one.source: _mc_errors(results, one) for one in experiments})
        notes = [*found.notes, *_reasons(results, experiments), *_restless(results, experiments)]
        if results.metric(chosen.metric).has_optimum is None:
            notes.append(
                f"the store does not record whether {chosen.name} is proper: the optimum is the best "
                "forecast "
                "by proper scores that are means over rows, and by accuracy"
            )
        return replace(found, notes=tuple(notes))

    @property
    def summary(self) -> pd.DataFrame:
        """The main columns of `table`: the loss relative to the truth, its components, and the regret."""
        return self.table[SUMMARY]

    @property
    def without_optimum(self) -> tuple[str, ...]:
        """The sources without an optimum, which `over_kinds` leaves out."""
        known = set(self.table["source"][self.table["optimal"].notna()])
        return tuple(one.source for one in self.experiments if one.source not in known)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The notes on truths that are left out, and on sizes without scores of the optimum."""
        return (*(note for one in self.experiments for note in _not_finite(one)), *_lacking(self))

    @property
    def has_mix(self) -> bool:
        """Whether any source has a structure regret, which needs scores of the mixture."""
        return bool(self.table["n_mix"].any())

    @property
    def over_kinds(self) -> pd.DataFrame:
        """Means over the sources that have an optimum, with equal weights.

        One row per size and learner that all these sources have in common. Columns: n_train, learner,
        to_truth, irreducible, structure_regret, learner_regret and regret with the ends of their intervals as
        in `table`, and n_kinds (the number of sources). The intervals hold for these sources, and are
        simultaneous at 95% over the rows of this table. Values are NaN if some of the sources lack them. The
        table is empty for fewer than two sources. A note names sources without an optimum.

        If the truths of all sources have the same attributes, values and classes, the mixture is the best
        forecast on average over these sources. Then learner_regret is not negative here, except by chance.
        Otherwise the shape of a data set is informative about its kind of truth. A learner can use this
        information, and the mixture does not.
        """
        known = self.table[self.table["optimal"].notna()]
        n_kinds = known["source"].nunique()
        groups = [
            (place, list(own["source"]))
            for place, own in known.groupby(["n_train", "learner"], sort=False)
            if len(own) == n_kinds
        ]
        if n_kinds < 2 or not groups:
            return pd.DataFrame(columns=["n_train", "learner", *OVER_KINDS, "n_kinds"])
        gaps = {
            (one.source, size, learner): {name: gap[:, i] for name, gap in at_size.items()}
            for one in self.experiments
            for size, scores in zip(one.sizes, _by_size(one), strict=True)
            for at_size in [_gaps(scores, has_mix=self.has_mix)]
            for i, learner in enumerate(one.learners)
        }
        rows = []
        for (size, learner), sources in groups:
            parts = _over([gaps[source, size, learner] for source in sources], len(groups))
            rows.append({"n_train": size, "learner": learner, **parts, "n_kinds": n_kinds})
        return pd.DataFrame(rows)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The loss of the learner with the best mean and its components, at the least and greatest size."""
        found = []
        for experiment in self.experiments:
            own = self.table[self.table["source"] == experiment.source]
            for size in dict.fromkeys((experiment.sizes[0], experiment.sizes[-1])):
                rows = own[own["n_train"] == size]
                best = rows.iloc[int(np.argmax(experiment.sign * rows["mean"]))]
                words = _sentence(best.to_dict(), experiment)
                found += [words] if words else []
        return tuple(found)


def _without_yardsticks(results: "StudyResults", learners: Sequence[str] | None) -> Sequence[str] | None:
    """Return the learners to compare without the truth and the optima, or None for the default."""
    check_learners(results, learners or ())
    asked = results.study.compared_learners(learners)
    ceilings = results.study.ceilings
    kept = [key for key in asked if key not in ceilings]
    if learners and not kept:
        raise WorkbenchError(
            f"learners is {', '.join(asked)}: the truth and the optimum have no regret, so name another "
            f"learner, such as {next((k for k in results.study.learner_keys if k not in ceilings), 'nb')!r}"
        )
    return learners if len(kept) == len(asked) else kept


def _mc_errors(results: "StudyResults", experiment: PairedScores) -> Array:
    """Return the Monte Carlo standard error of the optimum, by truth and size, NaN where unknown."""
    if experiment.optimal is None:
        return np.full((len(experiment.blocks), len(experiment.sizes)), np.nan)
    scores = results.scores(experiment.score)
    own = scores[(scores["source"] == experiment.source) & (scores["learner"] == experiment.optimal)]
    squares = own.assign(square=own["mc_error"] ** 2).groupby(["replicate", "n_train"])["square"]
    errors = np.sqrt(squares.agg(lambda one: one.sum(skipna=False))) / squares.size()
    table = errors.unstack("n_train").reindex(experiment.blocks, columns=list(experiment.sizes))
    return np.asarray(table.to_numpy(), dtype=np.float64)


@dataclass(frozen=True)
class _Scores:
    """Scores at a size by truth: of learners, (n_truths, n_learners), and ceilings. NaN if not compared."""

    sign: float
    learners: Array
    truth: Array
    optimal: Array
    mix: Array


def _finite(experiment: PairedScores) -> NDArray[np.bool_]:
    """Return on which truths all learners have finite scores, (n_truths, n_sizes)."""
    return np.asarray(np.isfinite(experiment.values).all(axis=1))


def _by_size(experiment: PairedScores) -> Iterator[_Scores]:
    """Yield the scores of each size on the truths with those of all learners and of every ceiling."""
    # a ceiling that no truth has is not asked for; the mix may lack, and is nothing without an optimum
    keys = {"optimal": experiment.optimal, "truth": experiment.truth, "mix": experiment.mix}
    finite = _finite(experiment)
    for j in range(len(experiment.sizes)):
        used = finite[:, j]
        found = {}
        for name, key in keys.items():
            column = np.full(len(used), np.nan) if key is None else experiment.alongside[key][:, j]
            there = used & np.isfinite(column)
            found[name] = np.where(there, column, np.nan)
            if name != "mix" and there.any():
                used = there
        found["optimal"] = np.where(used, found["optimal"], np.nan)
        found["mix"] = np.where(_known(found["optimal"]), found["mix"], np.nan)
        learners = np.where(used[:, None], experiment.values[:, :, j], np.nan)
        yield _Scores(experiment.sign, learners, **found)


def _gaps(scores: _Scores, *, has_mix: bool) -> dict[str, Array]:
    """Return the losses by truth and learner, (n_truths, n_learners): total, parts, and regret."""
    # if there is a mix anywhere, the regret is the learner's own part nowhere
    truth, optimal, mix = (scores.sign * one[:, None] for one in (scores.truth, scores.optimal, scores.mix))
    learner = scores.sign * scores.learners
    alike = 0.0 * learner
    gaps = {
        "to_truth": truth - learner,
        "irreducible": truth - optimal + alike,
        "structure_regret": optimal - mix + alike,
        "learner_regret": (mix if has_mix else optimal) - learner,
        "regret": optimal - learner,
    }
    same = {name: ((np.abs(gap) <= SAME) | np.isnan(gap)).all(axis=0) for name, gap in gaps.items()}
    return {name: np.where(same[name], 0.0 * gap, gap) for name, gap in gaps.items()}


def _rows(experiment: PairedScores, mc: Array | None, *, has_mix: bool) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table, size by size."""
    errors = np.full((len(experiment.blocks), len(experiment.sizes)), np.nan) if mc is None else mc
    n_intervals = len(experiment.learners) * len(experiment.sizes)
    for j, (size, scores) in enumerate(zip(experiment.sizes, _by_size(experiment), strict=True)):
        gaps = _gaps(scores, has_mix=has_mix)
        columns = {name: _interval(gap, n_intervals) for name, gap in gaps.items()}
        regret = columns.pop("regret")
        used, n_mix = _known(scores.learners[:, 0]), int(_known(scores.mix).sum())
        sampled = used & _known(scores.optimal)
        error = math.sqrt((errors[sampled, j] ** 2).sum()) / sampled.sum() if sampled.any() else math.nan
        for i, learner in enumerate(experiment.learners):
            yield {
                "source": experiment.source,
                "n_train": size,
                "learner": learner,
                "mean": _mean(scores.learners[:, i]),
                **{name: _mean(getattr(scores, name)) for name in ("truth", "optimal", "mix")},
                **{f"{name}{end}": own[end][i] for name, own in columns.items() for end in own},
                "regret": regret[""][i],
                "low": regret["_low"][i],
                "high": regret["_high"][i],
                "above": bool(regret["_high"][i] < -SAME),
                "mc_error": error,
                "n": int(used.sum()),
                "n_mix": n_mix,
            }


def _known(column: Array) -> NDArray[np.bool_]:
    return np.asarray(np.isfinite(column))


def _mean(column: Array) -> float:
    """Return the mean of the known values, NaN if there are none."""
    known = _known(column)
    return float(column[known].mean()) if known.any() else math.nan


def _interval(gap: Array, n_intervals: int) -> dict[str, Array]:
    """Return mean, low and high of each learner, NaN where unknown."""
    ends = {end: np.full(gap.shape[1], np.nan) for end in ("", "_low", "_high")}
    known = gap[np.isfinite(gap).all(axis=1)]
    if len(known):
        ends[""] = known.mean(axis=0)
    if len(known) > 1:
        found = mean_intervals(known, n_intervals=n_intervals)
        ends["_low"], ends["_high"] = found.low, found.high
    return ends


def _over(kinds: Sequence[Mapping[str, Array]], n_rows: int) -> dict[str, float]:
    """Return the columns `OVER_KINDS` of a learner and size, from its gaps on the truths of each kind."""
    found: list[float] = []
    for name in WITH_ENDS:
        found += _mean_of_kinds([one[name][_known(one[name])] for one in kinds], n_rows)
    return dict(zip(OVER_KINDS, found, strict=True))


def _mean_of_kinds(gaps: Sequence[Array], n_rows: int) -> tuple[float, float, float]:
    """Return the mean of means with its ends, NaN if a kind has fewer than two truths."""
    counts = [len(gap) for gap in gaps]
    if not all(counts):
        return (math.nan,) * 3
    if min(counts) == 1:
        return float(np.mean([gap.mean() for gap in gaps])), math.nan, math.nan
    strata = np.repeat(np.arange(len(gaps)), counts)
    found = stratified_mean(np.concatenate(gaps), strata, n_intervals=n_rows)
    return found.mean, found.low, found.high


def _not_finite(experiment: PairedScores) -> Iterator[str]:
    """Report on how many truths which learner has no finite score, or raise if these are all truths."""
    lacks = ~np.isfinite(experiment.values)
    for size, lacking in zip(experiment.sizes, np.moveaxis(lacks, 2, 0), strict=True):
        n, n_truths = int(lacking.any(axis=1).sum()), len(lacking)
        if not n:
            continue
        who = and_of([learner_name(experiment.learners[i]) for i in np.flatnonzero(lacking.any(axis=0))])
        where = f"on {experiment.kind} with {size} rows"
        if n == n_truths:
            raise WorkbenchError(
                f"{where} no truth has finite scores of all learners: leave out {who}, or use a score "
                "with clipping"
            )
        yield (
            f"{where} {n} of {n_truths} truths are left out for every learner, because scores of {who} are "
            "not finite"
        )


def _lacking(found: Regret) -> Iterator[str]:
    """Report where the optimum or the mixture has no scores, or only on some truths."""
    places = found.table.drop_duplicates(["source", "n_train"])
    known = places["optimal"].notna()
    for one in found.experiments:
        own = places["source"] == one.source
        there, lacking = places[own & known], places["n_train"][own & ~known].tolist()
        if there.empty:
            continue
        if lacking:
            sizes = and_of([str(size) for size in lacking])
            yield f"on {one.kind} there are no scores of the optimum with {sizes} rows"
        n_finite = dict(zip(one.sizes, _finite(one).sum(axis=0), strict=True))
        fewer = there["n"][there["n"] < there["n_train"].map(n_finite)]
        if len(fewer):
            yield (
                f"on {one.kind} all means are over the truths that have scores of the truth and the optimum, "
                f"{fewer.min()} of {len(one.blocks)}"
            )
        yield from _without_mix(there, one.kind, has_mix=found.has_mix)


def _without_mix(places: pd.DataFrame, kind: str, *, has_mix: bool) -> Iterator[str]:
    """Report at which sizes the mixture of the study has no scores, or only on some truths."""
    nowhere = [str(size) for size in places["n_train"][places["n_mix"] == 0]]
    if has_mix and nowhere:
        yield (
            f"on {kind} there are no scores of the optimum of the mixture with {and_of(nowhere)} rows, where "
            "the regret is not divided into structure regret and learner regret"
        )
    for row in places[places["n_mix"].between(1, places["n"] - 1)].itertuples():
        yield (
            f"on {kind} with {row.n_train} rows {row.n_mix} of {row.n} truths have scores of the optimum of "
            "the mixture: structure regret and learner regret are means over these truths, and do not "
            "add up to the regret"
        )


def _unsplit(found: Regret) -> Iterator[str]:
    """Report which sources have no optimum."""
    nowhere = found.without_optimum
    if nowhere:
        without = "" if found.over_kinds.empty else ", and means over all kinds leave them out"
        yield (
            f"there are no scores of the optimum on {truths_of(and_of(list(map(source_name, nowhere))))}: "
            "only "
            f"the distance to the truth is shown{without}"
        )


def _reasons(results: "StudyResults", experiments: Sequence[PairedScores]) -> Iterator[str]:
    """Report why sources have no optimum, as far as the runs of the study recorded it."""
    words = results.optima()
    for one in experiments:
        why = str(words.get(one.source, ""))
        if one.optimal is None and why.startswith(NONE):
            yield f"{one.source} has no optimum{why.removeprefix(NONE)}"


def _restless(results: "StudyResults", experiments: Sequence[PairedScores]) -> Iterator[str]:
    """Report where the chains of a sampled optimum disagree."""
    cells = results.cells()
    for one in experiments:
        own = cells[(cells["source"] == one.source) & (cells["learner"] == one.optimal)]
        worst = own.groupby("n_train")["r_hat"].max()
        sizes = [str(size) for size in worst.index[worst > AGREEING]]
        if sizes:
            yield (
                f"on {one.kind} with {and_of(sizes)} rows the chains of the optimum disagree (R-hat up to "
                f"{worst.max():.2f}): its Monte Carlo error is larger than stated"
            )


def _above(table: pd.DataFrame) -> Iterator[str]:
    """Report learners above the optimum, which should not occur."""
    places = [
        f"{learner_name(row.learner)} on {truths_of(str(row.source))} with {row.n_train} rows"
        for row in table[table["above"]].itertuples()
    ]
    if places:
        yield (
            f"significantly better than the optimum: {truncate(places, between='; ')}. Either the truths "
            "were "
            "drawn from another distribution, or a sampled optimum is inaccurate, or the optimum does not "
            "maximize this score"
        )


def _sentence(row: Mapping[Any, Any], experiment: PairedScores) -> str:
    """Report a learner's loss relative to the truth or the optimum, and its parts. Empty if unknown."""
    known = [name for name in WHOLES if not np.isnan(row[name])]
    if not known:
        return ""
    whole, (end, low, high) = known[0], WHOLES[known[0]]
    unit = behind_number(experiment.unit, experiment.score.metric)
    # Others may not differ from it significantly, so it is not called the best learner.
    leads = "has the best mean and " if len(experiment.learners) > 1 else ""
    where = f"With {row['n_train']} training rows on {experiment.kind}"
    lead = f"{where}, {spoken_name(row['learner'])} {leads}loses {_amount(row[whole])}{unit} to {end}"
    if abs(row["regret"]) < SAME and not np.isnan(row["to_truth"]):
        return f"{lead}. All of it is irreducible: the forecasts are those of the optimum."
    is_undivided = np.isnan(row["learner_regret"]) or 0 < row["n_mix"] < row["n"]
    reasons, own = (UNDIVIDED, "") if is_undivided else (REASONS, "learner_regret_")
    parts = [f"{_amount(row[name])} {words}" for name, words in reasons.items() if not np.isnan(row[name])]
    if len(parts) > 1:
        return f"{lead}: {and_of(parts)}{_between(row[f'{own}low'], row[f'{own}high'])}."
    unsplit = "" if parts else " The optimum is unknown."
    return f"{lead}{_between(row[low], row[high])}.{unsplit}"


def _amount(value: float) -> str:
    return f"{value:z.3f}"


def _between(low: float, high: float) -> str:
    return "" if np.isnan(low) else f" ({_amount(low)} to {_amount(high)})"
