"""Which scores a study asks for: every useful combination of metric, prior, rows and cut-off."""

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from workbench import catalogue
from workbench.errors import WorkbenchError, nearest

__all__ = ["ScoreKey", "Scores", "of_tables", "preference"]

#: What a table shows where nothing is said: the first that there is of each.
PREFERRED_ROWS = ("exact", "test")
PREFERRED_PRIORS = ("none", "marginal", "training", "test", "uniform")


class ScoreKey(NamedTuple):
    """The words that tell one score of a cell from another; prior is "none" where a metric has none."""

    metric: str
    prior: str
    rows: str
    cutoff: str


@dataclass(frozen=True)
class Scores:
    """The scores that every cell gets.

    Parameters
    ----------
    metrics : tuple of str
        Short keys of the catalogue.
    priors : tuple of {"training", "marginal", "test", "uniform"}
        What a reward is compared with: the class distribution of the training rows, the truth's own, that of
        the test rows (both with counts that start at 0.5), or the uniform one.
    rows : tuple of {"test", "exact"}
        On the test rows; exactly, by enumeration, where the attribute space is small enough.
    cutoffs : tuple of {"none", "2001", "2002"}
        Probabilities as they are, or kept away from 0 and 1 as `workbench.metrics.clip_probabilities` does.

    Raises
    ------
    WorkbenchError
        If a word is unknown, named twice, or a field is empty, or exact rows alone are asked of a metric that
        has no exact score.

    Examples
    --------
    >>> for key in Scores(metrics=("accuracy", "ir_b"), rows=("exact",)).keys: print(*key)
    accuracy none exact none
    ir_b training exact none
    ir_b marginal exact none
    """

    metrics: tuple[str, ...] = ("accuracy", "ir_b")
    priors: tuple[str, ...] = ("training", "marginal")
    rows: tuple[str, ...] = ("test", "exact")
    cutoffs: tuple[str, ...] = ("none",)

    WORDS: ClassVar[dict[str, tuple[str, ...]]] = {
        "priors": ("training", "marginal", "test", "uniform"),
        "rows": ("test", "exact"),
        "cutoffs": ("none", "2001", "2002"),
    }

    def __post_init__(self) -> None:
        for name in ("metrics", *self.WORDS):
            words = getattr(self, name)
            if isinstance(words, str):
                raise WorkbenchError(f"{name} is {words!r}: expected a list, [{words!r}]")
            if not isinstance(words, Iterable):
                raise WorkbenchError(f"{name} is {words!r}: expected a list of words")
            words = tuple(words)
            object.__setattr__(self, name, words)
            for word in words:
                if not isinstance(word, str):
                    raise WorkbenchError(f"{name} holds {word!r}: expected words")
            if not words or len(set(words)) < len(words):
                raise WorkbenchError(f"{name} is {list(words)}: expected at least one word, each named once")
            for word in words:
                if word not in self.WORDS.get(name, words):
                    raise WorkbenchError(f"{word!r} is no word for {name}: {nearest(word, self.WORDS[name])}")
        for metric, _, has_expected in self._asked:
            if self.rows == ("exact",) and not has_expected:
                raise WorkbenchError(
                    f'{metric} has no exact score and rows is ["exact"]: add "test", or leave the metric out'
                )

    @functools.cached_property
    def keys(self) -> tuple[ScoreKey, ...]:
        """All combinations, metric by metric, without priors and cut-offs that a metric does not go by."""
        return tuple(
            ScoreKey(metric, prior, rows, cutoff)
            for metric, needs, has_expected in self._asked
            for cutoff in (("none",) if "sets" in needs else self.cutoffs)
            for rows in self.rows
            if rows == "test" or has_expected
            for prior in (self.priors if "prior" in needs else ("none",))
        )

    @property
    def _asked(self) -> Iterator[tuple[str, frozenset[str], bool]]:
        for name in self.metrics:
            metric = catalogue.find("metrics", name)
            yield name, metric.needs, metric.has_expected


def of_tables(keys: Iterable[ScoreKey]) -> tuple[ScoreKey, ...]:
    """Leave out the scores that only those can have who know the truth.

    Parameters
    ----------
    keys : iterable of ScoreKey

    Returns
    -------
    tuple of ScoreKey
        Without exact rows, the marginal prior, and metrics that need the truth.

    Examples
    --------
    >>> [" ".join(key) for key in of_tables(Scores(metrics=("ir_b", "kl_divergence")).keys)]
    ['ir_b training test none']
    """
    return tuple(
        key
        for key in keys
        if key.rows != "exact"
        and key.prior != "marginal"
        and "truth" not in catalogue.find("metrics", key.metric).needs
    )


def preference(key: Sequence[str]) -> tuple[int, int, bool]:
    """Rank a score of a metric: exact before sampled, the marginal prior first, no cut-off before any.

    Parameters
    ----------
    key : ScoreKey or sequence of str
        Metric, prior, rows, cut-off.

    Returns
    -------
    tuple
        The least of several scores is the one to show.

    Examples
    --------
    >>> min([("ir_b", "training", "exact", "none"), ("ir_b", "marginal", "exact", "none")], key=preference)
    ('ir_b', 'marginal', 'exact', 'none')
    """
    _, prior, rows, cutoff = key
    return PREFERRED_ROWS.index(rows), PREFERRED_PRIORS.index(prior), cutoff != "none"
