"""The laws of a study's truths, which some learners receive, and why some truths have no optimum."""

import functools
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from generators.laws._shared.law import Law
from generators.laws.dag import DAGLaw
from generators.laws.kdb import KDBLaw
from workbench.base.errors import WorkbenchError
from workbench.base.text import and_of
from workbench.study.learner_spec import LearnerSpec
from workbench.study.rows_source import AnySource, RowsSource
from workbench.study.source import Source

__all__ = ["StudyLaws", "check_optima", "takes"]

#: Parameters by which a learner takes the law of its truth, and those of all sources.
LAW, LAWS = "law", "laws"


@dataclass(frozen=True, eq=False)
class StudyLaws:
    """The laws of the sources of a study, drawn when they are needed."""

    sources: tuple[AnySource, ...]
    seed: int  # of the study
    n_replicates: int  # of each source; a foreign generator may draw from another law each time

    def of(self, key: str, replicate: int) -> Law | None:
        """Return the law of a truth, or None if it has none or the source is a data set."""
        return self._found(key, self._place(key, replicate))[0]

    def obstacle(self, key: str, replicate: int) -> str | None:
        """Return why a truth has no optimum, or None if it has one."""
        from workbench.optimal.optima import obstacle

        law, n_attributes = self._found(key, self._place(key, replicate))
        return "the law of its truths is unknown" if law is None else obstacle(law, n_attributes)

    def replicates(self, source: AnySource) -> range:
        """Return replicates that include all laws of a source, up to the names of added attributes."""
        return range(self.n_replicates if _is_theirs(source) else source.n_truths)

    @functools.cached_property
    def mixed(self) -> dict[str, Any]:
        """What the optimum of the mixture receives: the laws of all sources, and their priors."""
        # attributes that a law adds are left to the truth: that they say nothing is known, whatever the law
        from workbench.optimal.optima import why_unmixed

        weights: dict[Law, Fraction] = {}
        for source in self.sources:
            places = self.replicates(source)
            laws = [law for place in places if (law := self.of(source.key, place)) is not None]
            for law, times in Counter(law.kept for law in laws if why_unmixed(law) is None).items():
                weights[law] = weights.get(law, Fraction(0)) + Fraction(times, len(places))
        documents = [law.to_document() for law in weights]
        return {LAWS: documents, "weights": [float(one) for one in weights.values()], "ignored": None}

    def is_mixed(self, key: str, replicate: int) -> bool:
        """Whether the law of a truth is among those of the mixture."""
        law = self.of(key, replicate)
        return law is not None and law.kept.to_document() in self.mixed[LAWS]

    def words(self, key: str, replicate: int) -> str:
        """Return the law of a truth, or why it has no optimum."""
        why, law = self.obstacle(key, replicate), self.of(key, replicate)
        return f"none, as {why}" if why or law is None else law.words

    def _place(self, key: str, replicate: int) -> int:
        """Return a replicate of the same law: for our generators usually the first, so that few are drawn."""
        source = self._by_key[key]
        if isinstance(source, RowsSource) or source.is_given or _is_theirs(source):
            return replicate
        law, _ = self._found(key, 0)
        if law is None or law.obstacle is not None:
            return 0  # drawing until a truth fits may take long
        # names of added attributes differ, and some optima are for few attributes
        return replicate if law.ignored or isinstance(law, DAGLaw | KDBLaw) else 0

    def _found(self, key: str, replicate: int) -> tuple[Law | None, int]:
        """Return the law of a truth and its number of attributes, drawn once."""
        source, place = self._by_key[key], (key, replicate)
        if isinstance(source, RowsSource):
            return None, 0
        if place not in self._drawn:
            truth = source.draw(seed=self.seed, replicate=replicate)
            self._drawn[place] = getattr(truth, "law", None), len(truth.attribute_names)
        return self._drawn[place]

    @functools.cached_property
    def _by_key(self) -> dict[str, AnySource]:
        return {source.key: source for source in self.sources}

    @functools.cached_property
    def _drawn(self) -> dict[tuple[str, int], tuple[Law | None, int]]:
        return {}


def _is_theirs(source: AnySource) -> bool:
    """Whether truths are drawn by a generator of another package."""
    return isinstance(source, Source) and not source.is_given and not source.is_ours


def takes(spec: LearnerSpec) -> str | None:
    """Return which parameter of a learner the study fills with laws: "law", "laws" or none."""
    return _taken(spec.made)


def _taken(made: Any) -> str | None:
    from workbench.optimal.classifier import OptimalClassifier
    from workbench.optimal.mixture import OptimalMixtureClassifier

    if isinstance(made, OptimalClassifier):
        return LAW if made.law is None else None
    return LAWS if isinstance(made, OptimalMixtureClassifier) and made.laws is None else None


def check_optima(specs: Iterable[LearnerSpec], taken: Mapping[str, str | None], laws: StudyLaws) -> None:
    """Raise WorkbenchError if a law cannot be read, or learners take laws and no source has an optimum."""
    # taken: by key, what `takes` returns
    for spec in specs:
        try:
            _check_laws(spec.made)
        except WorkbenchError as error:
            raise WorkbenchError(f"learner {spec.key!r}: {error}") from error
    takers = [key for key, parameter in taken.items() if parameter is not None]
    if not takers:
        return
    reasons = {
        source.key: next(iter(obstacles), None) if all(obstacles) else None
        for source in laws.sources
        if (obstacles := [laws.obstacle(source.key, place) for place in laws.replicates(source)])
    }
    if all(reasons.values()):
        why = "; ".join(f"source {key!r}: {reason}" for key, reason in list(reasons.items())[:3])
        raise WorkbenchError(
            f"there is no optimum for {and_of(takers)} on any source ({why}): give the learner a law, or "
            'compare with "truth" instead'
        )


def _check_laws(made: Any) -> None:
    """Raise WorkbenchError if a law cannot be read, or a learner contains an optimum."""
    from workbench.optimal.classifier import OptimalClassifier
    from workbench.optimal.law_table import read_law
    from workbench.optimal.mixture import OptimalMixtureClassifier

    if isinstance(made, OptimalClassifier):
        if made.law is not None:
            read_law(made.law)
    elif isinstance(made, OptimalMixtureClassifier):
        if not (made.laws is None and made.weights is None):
            made.checked_weights()
    elif any(map(_taken, made.get_params(deep=True).values())):
        raise WorkbenchError(
            "it contains an optimum, which gets no law from the study: name it as a separate learner, "
            "or give it a law"
        )
