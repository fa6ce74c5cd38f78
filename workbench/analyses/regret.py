"""How far learners are from the best possible: what nobody could have known, and what is their own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtrit

from workbench.analyses._shared.deciding_score import deciding_score
from workbench.analyses._shared.experiment import Experiment, experiments_of
from workbench.analyses._shared.subjects import behind_number, check_learners, truths_of
from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.base.text import and_of, truncate
from workbench.comparisons import LEVEL, mean_intervals

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["Regret"]

#: The parts of the distance to the truth, as a sentence gives them.
REASONS = {
    "irreducible": "nobody could have known",
    "not_knowing": "for not knowing the kind",
    "own": "are its own",
}
#: What is split, the first that is known: to whom it is lost, and the columns of its interval.
WHOLES = {
    "to_truth": ("the truth", "to_truth_low", "to_truth_high"),
    "regret": ("the optimum", "low", "high"),
}
#: Columns of which `over_kinds` has means, and what they are called there.
WITH_ENDS = ("to_truth", "irreducible", "not_knowing", "own", "regret")
OVER_KINDS = [
    *(f"{name}{end}" for name in WITH_ENDS[:-1] for end in ("", "_low", "_high")), "regret", "low", "high",
]  # fmt: skip
#: Differences up to this come from two ways of computing the same forecast.
SAME = 1e-9

#: How the runs of a study note that a source has no optimum.
NONE = "none"

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Regret:
    """How much learners lose to the best possible forecast after as many rows, and that one to the truth.

    On every truth the distance is a sum, positive where something is lost::

        truth - learner = (truth - optimal)    irreducible: nobody could have known it
                        + (optimal - mix)      not_knowing: the cost of not knowing the kind of truth
                        + (mix - learner)      own: what the learner missed

        regret = optimal - learner             the last two

    The optimum knows the law that the truth was drawn from, the mix only the laws of the study. In a study
    without the mix the regret is the learner's own part. For losses all signs are reversed. Against
    the mix a learner's own part can be negative on a kind that it takes for granted; see `over_kinds`.

    Parameters
    ----------
    experiments : tuple of Experiment
        One for each source.
    table : DataFrame
        One row per source, size and learner: source, n_train, learner; mean, truth, optimal, mix (mean
        scores); to_truth, irreducible, not_knowing, own, each with its ends, such as to_truth_low and
        to_truth_high; regret, low, high; above (whether the learner is above the optimum beyond chance);
        mc_error (Monte Carlo standard error of the mean of the optimum: 0 if it is exact, NaN if it is
        unknown); n (truths). NaN where the study has no such scores.
    notes : tuple of str
        What was left out and why, where there is no optimum, and who is above it, in sentences.

    See Also
    --------
    BestMap : how probably the best learner is close to the optimum.
    SampleComplexity : the rows needed for a share of what the optimum has.

    Notes
    -----
    All means of a row are over the same truths: those with finite scores of the truth, the optimum and the
    mix. Intervals are Student's t over these, for each of the five differences simultaneous at 95% over the
    learners and sizes of a source (Bonferroni); they cover the Monte Carlo error of an optimum that is
    sampled, which differs between truths.

    The optimum is best on average over the truths of a law and their training rows, by proper scores and by
    accuracy; on some truths a learner may be ahead of it. The mix is best on average over the kinds: a
    learner that assumes the right kind may be ahead of it there, so its own part may be below 0.

    References
    ----------
    .. [1] J. M. Bernardo, A. F. M. Smith, "Bayesian theory", 1994, section 6.1.

    Examples
    --------
    >>> import numpy as np
    >>> score = ScoreKey("ir_b", "marginal", "exact", "none")
    >>> values = np.array([[[0.5], [0.6]], [[0.7], [0.8]]])
    >>> yardsticks = {"truth": np.array([[1.0], [1.2]]), "optimal": np.array([[0.7], [0.8]])}
    >>> experiment = Experiment(
    ...     "tan", score, ("nb", "tan"), (50,), (0, 1), values, yardsticks, truth="truth", optimal="optimal"
    ... )
    >>> found = Regret.of([experiment])
    >>> found.table[["learner", "to_truth", "irreducible", "own", "regret"]].round(2)
      learner  to_truth  irreducible   own  regret
    0      nb       0.5         0.35  0.15    0.15
    1     tan       0.4         0.35  0.05    0.05
    """

    experiments: tuple[Experiment, ...]
    table: pd.DataFrame
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, experiments: Sequence[Experiment], *, mc: Mapping[str, Array] | None = None) -> "Regret":
        """Split the distance to the truth of experiments.

        Parameters
        ----------
        experiments : sequence of Experiment
            By the same score, with the optimum and the truth among the learners in `alongside`.
        mc : mapping of str to ndarray of shape (n_replicates, n_sizes), optional
            By source the Monte Carlo standard error of the optimum's score on each truth.

        Returns
        -------
        Regret
            Intervals are NaN for one truth.

        Raises
        ------
        WorkbenchError
            If there are no experiments.
        """
        if not experiments:
            raise WorkbenchError(
                "there is no source with such scores, so nothing to compare with the optimum"
            )
        errors = mc or {}
        rows = [row for one in experiments for row in _rows(one, errors.get(one.source))]
        table = pd.DataFrame(rows)
        notes = [note for one in experiments for note in one.notes]
        notes += [*_lacking(experiments, table), *_above(table)]
        return cls(tuple(experiments), table, tuple(dict.fromkeys(notes)))

    @classmethod
    def of_results(
        cls,
        results: "StudyResults",
        *,
        score: ScoreKey | str | None = None,
        learners: Sequence[str] | None = None,
        source: str | None = None,
    ) -> "Regret":
        """Split the distance to the truth in a study.

        Parameters
        ----------
        results : StudyResults
        score, source : optional
            As in `experiments_of`; but a score that is infinite for a learner is replaced by the same after a
            cut-off, if there is one and `score` names none, as in `Results.answer`.
        learners : sequence of str, optional
            As in `experiments_of`, but one is enough, and the truth and the optima are left out.

        Returns
        -------
        Regret

        Raises
        ------
        WorkbenchError
            As `experiments_of`, or if the optimum is not among the learners of the study.
        """
        if not any(one.is_optimal for one in results.study.learners):
            raise WorkbenchError(
                'the study has no scores of the best possible forecasts: add "optimal" (and "truth") to its '
                "learners"
            )
        kept = _without_yardsticks(results, learners)
        chosen = deciding_score(results, score, kept)
        experiments = experiments_of(results, score=chosen, learners=kept, source=source, at_least=1)
        found = cls.of(experiments, mc={one.source: _mc_errors(results, one) for one in experiments})
        return replace(found, notes=(*found.notes, *_reasons(results, experiments)))

    @property
    def has_mix(self) -> bool:
        """Whether the cost of not knowing the kind is known anywhere."""
        return bool(self.table["not_knowing"].notna().any())

    @property
    def over_kinds(self) -> pd.DataFrame:
        """Means over the sources that have an optimum, each counted alike.

        One row per size and learner that all of these sources have: n_train, learner, then to_truth,
        irreducible, not_knowing, own and regret with their ends as in `table`, simultaneous at 95% over the
        rows here, about these sources; n_kinds. Empty for less than two sources. The mix is the best forecast
        over these kinds together: on a kind that a learner takes for granted its own part may be negative,
        here it is not, but for chance.
        """
        known = self.table[self.table["optimal"].notna()]
        n_kinds = known["source"].nunique()
        groups = [
            (place, own)
            for place, own in known.groupby(["n_train", "learner"], sort=False)
            if len(own) == n_kinds
        ]
        if n_kinds < 2 or not groups:
            return pd.DataFrame(columns=["n_train", "learner", *OVER_KINDS, "n_kinds"])
        n_within = {one.source: len(one.learners) * len(one.sizes) for one in self.experiments}
        rows = []
        for (size, learner), own in groups:
            inside = own["source"].map(n_within)
            parts = [_over(own, name, inside, len(groups)) for name in WITH_ENDS]
            rows.append(
                {"n_train": size, "learner": learner, **dict(zip(OVER_KINDS, np.ravel(parts), strict=True))}
            )
        return pd.DataFrame(rows).assign(n_kinds=n_kinds)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the best learner of each source and size loses to the truth, and why."""
        found = []
        for experiment in self.experiments:
            own = self.table[self.table["source"] == experiment.source]
            for _, rows in own.groupby("n_train", sort=False):
                best = rows.iloc[int(np.argmax(experiment.sign * rows["mean"]))]
                words = _sentence(best.to_dict(), experiment)
                found += [words] if words else []
        return tuple(found)


def _without_yardsticks(results: "StudyResults", learners: Sequence[str] | None) -> Sequence[str] | None:
    """Return the learners to compare without the truth and the optima; None for the default."""
    check_learners(results, learners or ())
    asked = results.study.compared_learners(learners)
    ceilings = {
        one.key for one in results.study.learners if one.is_truth or one.is_optimal or one.is_optimal_mix
    }
    kept = [key for key in asked if key not in ceilings]
    return learners if len(kept) == len(asked) else kept


def _mc_errors(results: "StudyResults", experiment: Experiment) -> Array:
    """Return the Monte Carlo standard error of the optimum, by truth and size; NaN where it is unknown."""
    if experiment.optimal is None:
        return np.full((len(experiment.replicates), len(experiment.sizes)), np.nan)
    scores = results.scores(experiment.score)
    own = scores[(scores["source"] == experiment.source) & (scores["learner"] == experiment.optimal)]
    squares = own.assign(square=own["mc_error"] ** 2).groupby(["replicate", "n_train"])["square"]
    errors = np.sqrt(squares.agg(lambda one: one.sum(skipna=False))) / squares.size()
    table = errors.unstack("n_train").reindex(experiment.replicates, columns=list(experiment.sizes))
    return np.asarray(table.to_numpy(), dtype=np.float64)


def _rows(experiment: Experiment, mc: Array | None) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table, size by size."""
    blank = np.full((len(experiment.replicates), len(experiment.sizes)), np.nan)
    sticks = {
        name: blank if key is None else experiment.alongside[key]
        for name, key in (
            ("truth", experiment.truth), ("optimal", experiment.optimal), ("mix", experiment.mix),
        )
    }  # fmt: skip
    errors = blank if mc is None else mc
    n_intervals = len(experiment.learners) * len(experiment.sizes)
    for j, size in enumerate(experiment.sizes):
        used, means = _paired({name: column[:, j] for name, column in sticks.items()})
        gaps = _gaps(experiment.values[used, :, j], means, experiment.sign)
        columns = {name: _interval(gap, n_intervals) for name, gap in gaps.items()}
        regret = columns.pop("regret")
        error = np.sqrt((errors[used, j] ** 2).sum()) / max(1, used.sum())
        for i, learner in enumerate(experiment.learners):
            yield {
                "source": experiment.source,
                "n_train": size,
                "learner": learner,
                "mean": float(experiment.values[used, i, j].mean()),
                **{name: float(column.mean()) for name, column in means.items()},
                **{f"{name}{end}": own[end][i] for name, own in columns.items() for end in own},
                "regret": regret[""][i],
                "low": regret["_low"][i],
                "high": regret["_high"][i],
                "above": bool(regret["_high"][i] < -SAME),
                "mc_error": float(error) if not np.isnan(means["optimal"]).any() else np.nan,
                "n": int(used.sum()),
            }


def _paired(sticks: Mapping[str, Array]) -> tuple[NDArray[np.bool_], dict[str, Array]]:
    """Return which truths have a finite score of every yardstick that some have, and these scores."""
    used = np.ones(len(sticks["truth"]), dtype=bool)
    lacking = set()
    for name in ("optimal", "truth", "mix"):
        there = used & np.isfinite(sticks[name])
        if there.any():
            used = there
        else:
            lacking.add(name)
    blank = np.full(int(used.sum()), np.nan)
    return used, {name: blank if name in lacking else column[used] for name, column in sticks.items()}


def _gaps(values: Array, sticks: Mapping[str, Array], sign: float) -> dict[str, Array]:
    """Return what is lost by truth and learner, (n_truths, n_learners): all, its parts, the regret."""
    truth, optimal, mix = (sign * sticks[name][:, None] for name in ("truth", "optimal", "mix"))
    learner = sign * values
    known = optimal if np.isnan(mix).all() else mix
    alike = np.zeros_like(learner)
    return {
        "to_truth": truth - learner,
        "irreducible": truth - optimal + alike,
        "not_knowing": optimal - mix + alike,
        "own": known - learner,
        "regret": optimal - learner,
    }


def _interval(gap: Array, n_intervals: int) -> dict[str, Array]:
    """Return mean, low and high of each learner; NaN where they are unknown."""
    ends = {end: np.full(gap.shape[1], np.nan) for end in ("", "_low", "_high")}
    known = np.isfinite(gap).all(axis=0)
    ends[""][known] = gap[:, known].mean(axis=0)
    if len(gap) > 1 and known.any():
        found = mean_intervals(gap[:, known], n_intervals=n_intervals)
        ends["_low"][known], ends["_high"][known] = found.low, found.high
    return ends


def _over(own: pd.DataFrame, name: str, n_within: pd.Series, n_rows: int) -> tuple[float, float, float]:
    """Return the mean of some kinds, and the ends of its interval, by Welch and Satterthwaite."""
    start = "" if name == "regret" else f"{name}_"
    mean, freedom = float(own[name].mean()), own["n"].to_numpy() - 1.0
    half = (own[f"{start}high"] - own[f"{start}low"]).to_numpy() / 2
    squares = (half / stdtrit(freedom, 1 - LEVEL / (2 * n_within.to_numpy()))) ** 2
    total = squares.sum()
    if not total > 0:
        return (mean, mean, mean) if total == 0 else (mean, np.nan, np.nan)
    together = total**2 / (squares**2 / freedom).sum()
    reach = float(stdtrit(together, 1 - LEVEL / (2 * n_rows)) * np.sqrt(total)) / len(own)
    return mean, mean - reach, mean + reach


def _lacking(experiments: Sequence[Experiment], table: pd.DataFrame) -> Iterator[str]:
    """Say where there is no optimum, and where only on some truths."""
    places = table.drop_duplicates(["source", "n_train"])
    nowhere = []
    for one in experiments:
        own = places[places["source"] == one.source]
        lacking = own["n_train"][own["optimal"].isna()].tolist()
        if len(lacking) == len(own):
            nowhere.append(one.source)
        elif lacking:
            sizes = and_of([str(size) for size in lacking])
            yield f"on {one.kind} there are no scores of the optimum at {sizes} rows"
        fewer = own["n"][own["optimal"].notna()]
        if len(fewer) and fewer.min() < len(one.replicates):
            yield (
                f"on {one.kind} all means are over the truths that have scores of every ceiling, "
                f"{fewer.min()} of {len(one.replicates)}"
            )
    if nowhere:
        yield (
            f"there are no scores of the optimum on {truths_of(and_of(nowhere))}: shown is their distance to "
            "the truth alone"
        )


def _reasons(results: "StudyResults", experiments: Sequence[Experiment]) -> Iterator[str]:
    """Say why sources have no optimum, as far as the runs of the study noted it."""
    words = results.optima()
    for one in experiments:
        why = str(words.get(one.source, ""))
        if one.optimal is None and why.startswith(NONE):
            yield f"{one.source} has no optimum{why.removeprefix(NONE)}"


def _above(table: pd.DataFrame) -> Iterator[str]:
    """Say which learners are above the optimum, which should not be."""
    places = [
        f"{row.learner} on {truths_of(str(row.source))} at {row.n_train} rows"
        for row in table[table["above"]].itertuples()
    ]
    if places:
        yield (
            f"above the optimum beyond chance: {truncate(places, between='; ')}; either the law is not the "
            "one that drew these truths, or the optimum, if it is sampled, is inaccurate, or the score is "
            "one that the best forecasts do not maximize"
        )


def _sentence(row: Mapping[Any, Any], experiment: Experiment) -> str:
    """Say what a learner loses to the truth, or else to the optimum, and why; empty if neither is known."""
    known = [name for name in WHOLES if not np.isnan(row[name])]
    if not known:
        return ""
    whole, (end, low, high) = known[0], WHOLES[known[0]]
    unit = behind_number(experiment.unit, experiment.score.metric)
    who = f"the best learner, {row['learner']}," if len(experiment.learners) > 1 else row["learner"]
    lead = f"At {row['n_train']} rows on {experiment.kind} {who} loses {_amount(row[whole])}{unit} to {end}"
    if abs(row["regret"]) < SAME and not np.isnan(row["to_truth"]):
        return f"{lead}, all of which nobody could have known: its forecasts are the best possible."
    parts = [f"{_amount(row[name])} {words}" for name, words in REASONS.items() if not np.isnan(row[name])]
    if len(parts) > 1:
        return f"{lead}: {', '.join(parts)}{_between(row['own_low'], row['own_high'])}."
    unsplit = "" if parts else "; the optimum is unknown"
    return f"{lead}{_between(row[low], row[high])}{unsplit}."


def _amount(value: float) -> str:
    return f"{value:z.3f}"


def _between(low: float, high: float) -> str:
    return "" if np.isnan(low) else f" ({_amount(low)} to {_amount(high)})"
