"""The training size that each learner needs for a share of what can be learned."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.analyses._shared.attainable import check_has_optimum
from workbench.analyses._shared.paired_scores import PairedScores, paired_scores
from workbench.base.errors import WorkbenchError, check_known
from workbench.base.score_key import ScoreKey
from workbench.base.text import and_of
from workbench.comparisons import RequiredSampleSize, required_sample_size

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["CEILINGS", "SHARES", "SampleComplexity"]

#: Shares of the way from the floor to the ceiling.
SHARES = (0.5, 0.9)
#: What ceilings are, in words: the truth, and the best possible forecasts after as many rows.
CEILINGS = {"truth": "the truth's score", "optimal": "the optimum's score at that size"}


@dataclass(frozen=True, eq=False)
class SampleComplexity:
    """The training size from which on a learner attains a share of the truth's or the optimum's score.

    Parameters
    ----------
    experiments : tuple of PairedScores
        The scores, with one item for each source.
    needed : dict of (str, str, float) to RequiredSampleSize
        The sizes by source, learner and share.
    floor : str
        The score with share 0, in words: "a score of 0", or the learner that forecasts the class frequencies.
    ceiling : {"truth", "optimal"}
        The reference with share 1: the truth or the optimum.
    notes : tuple of str
        Sentences on what was left out and why.

    See Also
    --------
    workbench.comparisons.required_sample_size : computes the size and its interval.

    Examples
    --------
    >>> import numpy as np
    >>> from workbench.base.score_key import ScoreKey
    >>> values = np.array([[[0.25, 0.75, 0.8], [0.5, 0.95, 0.96]]] * 2)
    >>> score = ScoreKey("ir_b", "marginal", "exact", "none")
    >>> truth = {"alongside": {"truth": np.ones((2, 3))}, "truth": "truth"}
    >>> experiment = PairedScores("tan", score, ("nb", "tan"), (10, 90, 5000), (0, 1), values, **truth)
    >>> SampleComplexity.of([experiment], shares=[0.5, 0.78, 0.9]).table[["learner", "share", "label"]]
      learner  share       label
    0      nb   0.50          30
    1      nb   0.78  90 to 5000
    2      nb   0.90      > 5000
    3     tan   0.50       <= 10
    4     tan   0.78          39
    5     tan   0.90          71
    """

    experiments: tuple[PairedScores, ...]
    needed: dict[tuple[str, str, float], RequiredSampleSize]
    floor: str
    ceiling: str = "truth"
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, experiments: Sequence[PairedScores], *, shares: Sequence[float] = SHARES, of: str = "truth"
    ) -> "SampleComplexity":
        """Compute the training sizes that learners need, from paired scores.

        Parameters
        ----------
        experiments : sequence of PairedScores
            Scores by the same key, with the reference (`of`) among the learners in `alongside`.
        shares : sequence of float
            Shares between 0 and 1. For rewards, which are 0 for the prior, they are shares of the reference's
            reward. For other scores, they are shares of the difference between the scores of the class
            frequencies and of the reference.
        of : {"truth", "optimal"}
            The reference with share 1: the truth, or the best possible forecasts with the same training rows.
            The score of the latter improves with the size. So a learner may attain a large share with few
            rows, and a smaller share with more rows. The size that counts is the one from which on the
            learner keeps the share. Sources and truths without an optimum are left out, with a note.

        Returns
        -------
        SampleComplexity

        Raises
        ------
        WorkbenchError
            If the study lacks the reference among its learners, or the class frequencies where they are
            needed. If a source has one replicate, or a share is not a number between 0 and 1. If the
            reference is not better than the class frequencies, or is an optimum that is not guaranteed to be
            the best by the score.
        """
        check_known("ceiling", (of,), CEILINGS)
        notes = dict.fromkeys(note for experiment in experiments for note in experiment.notes)
        if of == "optimal":
            check_has_optimum(experiments[0].score.metric, experiments[0].metric)
            experiments, more = _with_optimum(experiments)
            notes |= dict.fromkeys(more)
        needed = {}
        for experiment in experiments:
            experiment.check_blocks()
            ceiling, floor = _ceiling(experiment, of), _floor(experiment)
            for i, learner in enumerate(experiment.learners):
                for share in shares:
                    try:
                        needed[experiment.source, learner, float(share)] = required_sample_size(
                            experiment.values[:, i],
                            experiment.sizes,
                            ceiling=ceiling,
                            floor=floor,
                            share=share,
                        )
                    except ValueError as error:
                        raise WorkbenchError(f"on {experiment.source}: {error}") from error
        first = experiments[0]
        nothing = "a score of 0" if _is_reward(first) else f"the class frequencies ({first.prior})"
        return cls(tuple(experiments), needed, nothing, of, tuple(notes))

    @classmethod
    def of_results(
        cls,
        results: "StudyResults",
        *,
        score: ScoreKey | str | None = None,
        learners: Sequence[str] | None = None,
        source: str | None = None,
        shares: Sequence[float] = SHARES,
        of: str = "truth",
    ) -> "SampleComplexity":
        """Compute the training sizes that learners need, from the results of a study.

        Parameters
        ----------
        results : StudyResults
        score, learners, source : optional
            As in `paired_scores`.
        shares, of : optional
            As in `of`.

        Returns
        -------
        SampleComplexity

        Raises
        ------
        WorkbenchError
            As for `paired_scores` and `of`.
        """
        experiments = paired_scores(results, score=score, learners=learners, source=source, independent=True)
        return cls.of(experiments, shares=shares, of=of)

    @property
    def table(self) -> pd.DataFrame:
        """One row per source, learner and share, with columns n_train, low, high, p_reached and label.

        n_train is the size needed, interpolated between measured sizes, and low and high are the ends of its
        interval. n_train is infinite if no size reaches the share, and the smallest measured size if that
        size already reaches it. The label shows these two cases as "> 5000" and "<= 50". If the neighboring
        measured sizes are more than `workbench.comparisons.FARTHEST_SIZES` times apart, the interpolation is
        only a guess. Then the label has both sizes, "50 to 5000", and low and high are at least as far apart
        as these. p_reached is the share of the resamples (bootstrap over truths) in which the largest size
        reaches the share.
        """
        rows = [
            (*place, one.size, one.low, one.high, one.p_reached, self._words(place))
            for place, one in self.needed.items()
        ]
        names = ["source", "learner", "share", "n_train", "low", "high", "p_reached", "label"]
        return pd.DataFrame(rows, columns=names)

    @property
    def is_coarse(self) -> bool:
        """Whether a size or an end of an interval lies between measured sizes that are too far apart."""
        return any(one.is_interval or any(one.widened) for one in self.needed.values())

    def label(self, place: tuple[str, str, float], end: float) -> str:
        """Return an end of an interval as text, with < or > for an end beyond the measured sizes.

        Parameters
        ----------
        place : tuple of source, learner, share
            The row of the table.
        end : float
            The end of the interval, low or high.

        Returns
        -------
        str
        """
        one = self.needed[place]
        return f"{end:.0f}" if one.widened[0] and end == one.low else self._size(place, end)

    def _words(self, place: tuple[str, str, float]) -> str:
        one = self.needed[place]
        return f"{one.left:.0f} to {one.right:.0f}" if one.is_interval else self._size(place, one.size)

    def _size(self, place: tuple[str, str, float], size: float) -> str:
        sizes = next(one.sizes for one in self.experiments if one.source == place[0])
        if np.isinf(size):
            return f"> {sizes[-1]}"
        return f"<= {sizes[0]}" if size <= sizes[0] else f"{size:.0f}"


def _is_reward(experiment: PairedScores) -> bool:
    """Return whether forecasting the prior has a score of 0."""
    return "prior" in experiment.metric.needs


def _with_optimum(experiments: Sequence[PairedScores]) -> tuple[list[PairedScores], list[str]]:
    """Return the sources and truths with scores of the optimum at every size, and notes on the others."""
    kept, notes = [], []
    for one in experiments:
        blank = np.full((len(one.blocks), 1), np.nan)
        optimum = blank if one.optimal is None else one.alongside[one.optimal]
        known = np.asarray(np.isfinite(optimum).all(axis=1))
        if known.any():
            kept.append(_only(one, known))
        else:
            notes.append(f"{one.source} is left out, because it has no scores of the optimum at every size")
        if 0 < known.sum() < len(known):
            notes.append(f"on {one.source} {known.sum()} of {len(known)} truths have scores of the optimum")
    kept, more = _above_floor(kept)
    notes += more
    if not kept:
        raise WorkbenchError(
            "shares of the optimum's score are asked for, but there are no scores of the optimum: add "
            '"optimal" to the learners'
        )
    return kept, notes


def _above_floor(experiments: Sequence[PairedScores]) -> tuple[list[PairedScores], list[str]]:
    """Return the experiments from the size on after which the optimum is better than the floor on average."""
    kept, notes = [], []
    for one in experiments:
        room = one.sign * (_ceiling(one, "optimal") - _floor(one)).mean(axis=0)
        first = int(np.flatnonzero(np.append(True, ~(room > 0)))[-1])
        if first:
            sizes = and_of([str(size) for size in one.sizes[:first]])
            rest = f"shares begin at {one.sizes[first]} rows" if first < len(one.sizes) else "it is left out"
            notes.append(
                f"on {one.kind} the optimum is not better than the class frequencies with {sizes} rows: "
                f"{rest}"
            )
        if first < len(one.sizes):
            kept.append(_from_size(one, first))
    return kept, notes


def _from_size(experiment: PairedScores, first: int) -> PairedScores:
    """Return the experiment at this place of its sizes and the larger ones."""
    return replace(
        experiment,
        sizes=experiment.sizes[first:],
        values=experiment.values[:, :, first:],
        alongside={key: own[:, first:] for key, own in experiment.alongside.items()},
    )


def _only(experiment: PairedScores, kept: NDArray[np.bool_]) -> PairedScores:
    """Return the experiment on some of its truths."""
    pairs = zip(experiment.blocks, kept, strict=True)
    return replace(
        experiment,
        blocks=tuple(replicate for replicate, is_kept in pairs if is_kept),
        values=experiment.values[kept],
        alongside={key: own[kept] for key, own in experiment.alongside.items()},
    )


def _ceiling(experiment: PairedScores, of: str) -> NDArray[np.float64]:
    if of == "optimal":
        return experiment.alongside[str(experiment.optimal)]
    if experiment.truth is None:
        raise WorkbenchError(
            f"shares of the truth's score are asked for, but {experiment.source} has no score of the truth: "
            'add "truth" to the learners'
        )
    return experiment.alongside[experiment.truth]


def _floor(experiment: PairedScores) -> NDArray[np.float64] | float:
    if _is_reward(experiment):
        return 0.0
    if experiment.prior is None:
        raise WorkbenchError(
            f"shares of {experiment.score.metric} start at the score of the class frequencies, but "
            f'{experiment.source} has no such score: add "prior" to the learners, or use a reward such as '
            "ir_b"
        )
    return experiment.alongside[experiment.prior]
