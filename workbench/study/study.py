"""Studies: everything that determines their numbers."""

import functools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from workbench.base.cell import Cell
from workbench.base.checks import as_integer, check_name
from workbench.base.errors import WorkbenchError, nearest
from workbench.base.score_key import ScoreKey
from workbench.base.seeds import canonical, digest
from workbench.comparisons import PairTest
from workbench.designs import Design, FiveByTwo, FreshSamples, RepeatedFolds, Resampling
from workbench.estimators.known_code import is_known_code
from workbench.study.dataset_source import DatasetSource
from workbench.study.known_data import KnownDataset, data_folder
from workbench.study.laws import LAW, LAWS, StudyLaws, check_optima, takes
from workbench.study.learner_spec import LearnerSpec
from workbench.study.rows_source import AnySource, RowsSource
from workbench.study.scores import Scores, of_datasets
from workbench.study.source import Source

__all__ = ["Study", "usual_design"]

MOST_CELLS = 10_000_000
#: What designs are for, in messages.
KINDS = {"truths": "truths", "datasets": "data sets"}


@dataclass(frozen=True)
class Study:
    """A study: learners, the truths or data sets to which they are fitted, a design, and scores.

    Parameters
    ----------
    name : str
        Name of the study. A store holds one study, recognized by name and seed.
    seed : int
        Seed of all truths and rows, at least 0.
    sources : tuple of Source or RowsSource
        Sources of truths, or data sets, but not both.
    learners : tuple of LearnerSpec
        The learners, in the order in which tables list them.
    design : Design
        The design, which determines training and test rows. Each combination of learner, training rows and
        test rows is a cell.
    scores : Scores
        The scores to compute in each cell.
    keep_predictions : bool
        Whether the store keeps the probabilities on the test rows.
    compared : tuple of str
        Keys of the learners that tests compare. By default all except the reference learners (the truth, the
        optima and the prior), which tables still show.

    Raises
    ------
    WorkbenchError
        If something is missing, two sources or two learners are the same or have the same key, two sources
        have the same truth as the same replicate, the design or a learner does not fit the sources, or none
        of the scores can be computed without a truth.

    Examples
    --------
    >>> learners = (LearnerSpec("cart", "cart"), LearnerSpec("prior", "prior"))
    >>> study = Study("tiny", 1, (Source("tan", generator="tan"),), learners, FreshSamples(2, sizes=(50,)))
    >>> study.keys[0]
    ScoreKey(metric='ir_b', prior='training', rows='test', cutoff='none')
    """

    name: str
    seed: int
    sources: tuple[AnySource, ...]
    learners: tuple[LearnerSpec, ...]
    design: Design = field(default_factory=FreshSamples)
    scores: Scores = field(default_factory=Scores)
    keep_predictions: bool = True
    compared: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_name(self.name, "the study's name")
        seed = as_integer(self.seed)
        if seed is None or seed < 0:
            raise WorkbenchError(f"the study's seed is {self.seed!r}: expected an integer of at least 0")
        object.__setattr__(self, "seed", seed)
        if not isinstance(self.keep_predictions, bool):
            raise WorkbenchError(f"keep_predictions is {self.keep_predictions!r}: expected true or false")
        for name in ("sources", "learners"):
            members = tuple(getattr(self, name))
            if name == "sources":
                members = tuple(one.each_once() if isinstance(one, Source) else one for one in members)
            object.__setattr__(self, name, members)
            _check_different(name, [member.key for member in members])
        _check_same("sources", {s.key: digest(s.whole_identity) for s in self.sources})
        _check_same("learners", {spec.key: digest(spec.identity) for spec in self.learners})
        _check_design(self.design, self.sources)
        _check_answers(self.learners, self.design)
        _check_of_old(self.learners, self.design)
        _check_shared_truths(self.sources, self.design)
        _check_places(self.sources, self.design)
        _check_number_of_cells(self.design, self.sources, self.learners)
        if not self.keys:
            raise WorkbenchError(
                'no score of the study can be computed on data sets: ask for rows = ["test"], priors such as '
                '"training", and metrics other than kl_divergence'
            )
        object.__setattr__(self, "compared", _checked_compared(self.compared, self.learners))

    @functools.cached_property
    def keys(self) -> tuple[ScoreKey, ...]:
        """The scores of every cell. On data sets, only scores that need no truth."""
        of_truths = self.design.source_kind == "truths"
        keys = self.scores.keys
        return keys if of_truths else of_datasets(keys, metric=self.scores.metric)

    #: Set by a run: the next one reads files as they are then.
    was_run: ClassVar[bool] = False

    def renewed(self) -> "Study":
        """Return the study for another run, which reads files again."""
        return replace(self, sources=tuple(source.renewed() for source in self.sources))

    def check_recognizable(self) -> None:
        """Raise WorkbenchError if a learner or metric has a function that a store cannot identify."""
        for learner in self.learners:
            learner.check_recognizable()
        for metric in self.scores.definitions:
            metric.check_recognizable()

    def check_draws(self) -> None:
        """Raise WorkbenchError if a generator, a split or the design cannot be carried out."""
        self.design.check_learners([spec.key for spec in self.learners])
        self.design.check_scores(self.keys)
        for source in self.sources:
            source.check_draws(self.seed)
            self._check_costs(source)
            if isinstance(source, RowsSource) and source.known is None:
                assert isinstance(self.design, Resampling)  # the constructor has checked it
                rows = source.content
                try:
                    self.design.check(f"source {source.key!r}", rows.codes, rows.classes, rows.groups)
                except WorkbenchError as error:
                    if not source.takes_last_column:
                        raise
                    why = str(error).removesuffix(".")
                    last = f" (the class is {rows.y.name!r}, the last column)"
                    raise WorkbenchError(f"{why}{last}") from error
        check_optima(self.learners, self._takes, self.laws)

    def _check_costs(self, source: AnySource) -> None:
        """Raise WorkbenchError if a metric is for other classes than all rows of a source have."""
        # a generator may draw any number: such cells lack the metric alone
        own = self.scores.definitions
        for classes in source.known_classes(self.seed) if own else ():
            for spec in own:
                try:
                    spec.made.of_classes(classes)
                except ValueError as error:
                    raise WorkbenchError(
                        f"metric {spec.key!r} does not fit source {source.key!r}: {error}"
                    ) from error

    @property
    def data_folder(self) -> str | None:
        """Folder of the data sets. None if the study names no data set, or no folder."""
        for source in self.sources:
            if isinstance(source, DatasetSource) and source.is_named:
                return data_folder(source.data)
        return None

    @functools.cached_property
    def known_datasets(self) -> dict[str, KnownDataset]:
        """Hash and size of each data set, by the key of its source."""
        return {s.key: s.facts for s in self.sources if isinstance(s, RowsSource)}

    @property
    def named_datasets(self) -> dict[str, KnownDataset]:
        """Hash and size of each data set that is given by name, by this name."""
        return {str(s.dataset): s.facts for s in self.sources if isinstance(s, DatasetSource) and s.is_named}

    def identify(self, cell: Cell) -> str:
        """Return the identity of a cell: a hash of all that determines its scores.

        Parameters
        ----------
        cell : Cell

        Returns
        -------
        str
            64 hexadecimal digits.
        """
        source = self._source_text(cell.source, cell.replicate)
        seed, learner, design = self._texts[cell.learner]
        source_of = self.source(cell.source)
        if self._takes[cell.learner] is not None and isinstance(source_of, Source) and source_of.is_given:
            law = self.laws.of(cell.source, cell.replicate)  # a generator's law follows from its parameters
            learner = canonical([self.learner_identity(cell.learner), law and law.to_document()])
        return cell.identity(source, seed, learner, design)

    @functools.cached_property
    def laws(self) -> StudyLaws:
        """The laws of the truths: the distributions from which the truths are drawn."""
        return StudyLaws(self.sources, self.seed, self.design.n_replicates(1))

    @property
    def asks_for_laws(self) -> bool:
        """Whether a learner takes the law of its truth, or the laws of all sources."""
        return any(self._takes.values())

    def handed(self, key: str) -> dict[str, Any]:
        """Return the parameters with laws that the study passes to a learner. Empty for most learners."""
        return self.laws.mixed if self._takes[key] == LAWS else {}

    @functools.cached_property
    def estimators(self) -> dict[str, Any]:
        """The unfitted learners by key, with the laws that they take. Each fit uses a copy."""
        handed = {spec.key: self.handed(spec.key) for spec in self.learners}
        return {
            spec.key: spec.build().set_params(**handed[spec.key]) if handed[spec.key] else spec.made
            for spec in self.learners
        }

    @functools.cached_property
    def unknown_code(self) -> tuple[str, ...]:
        """Keys of the learners with code from packages other than this project and scikit-learn."""
        return tuple(key for key, made in self.estimators.items() if not is_known_code(made))

    def learner_identity(self, key: str) -> dict[str, Any]:
        """Return everything that determines a learner's results, including the laws that it takes."""
        handed = self.handed(key)
        own = self.learner(key).identity
        return {**own, "handed": handed} if handed else own

    def has_cell(self, source: str, replicate: int, learner: str) -> bool:
        """Whether a learner can predict on a truth. False if it takes the law and there is no optimum."""
        asked = self._takes[learner]
        if asked is None:
            return True
        has_optimum = self.laws.obstacle(source, replicate) is None
        return has_optimum and (asked == LAW or self.laws.is_mixed(source, replicate))

    @functools.cached_property
    def _takes(self) -> dict[str, str | None]:
        return {spec.key: takes(spec) for spec in self.learners}

    def source(self, key: str) -> AnySource:
        """Return the source with a key."""
        return self._sources[key]

    def learner(self, key: str) -> LearnerSpec:
        """Return the learner with a key."""
        return next(spec for spec in self.learners if spec.key == key)

    @functools.cached_property
    def _sources(self) -> dict[str, AnySource]:
        return {source.key: source for source in self.sources}

    @functools.cached_property
    def _texts(self) -> dict[str, tuple[str, str, str]]:
        """The parts of cell identities besides source and place: seed, learner, design."""
        design = self.design.describe()
        seed, words = canonical(self.seed), canonical(design) if design else ""
        return {s.key: (seed, canonical(self.learner_identity(s.key)), words) for s in self.learners}

    def _source_text(self, key: str, replicate: int) -> str:
        """Write the identity of a source. Only given truths differ between replicates."""
        source = self._sources[key]
        place = key, replicate % source.n_truths
        if place not in self._source_texts:
            self._source_texts[place] = canonical(source.identity(replicate))
        return self._source_texts[place]

    @functools.cached_property
    def _source_texts(self) -> dict[tuple[str, int], str]:
        return {}


def usual_design(sources: Iterable[AnySource]) -> Design:
    """Return the default design: fresh samples for truths, 5x2cv for data sets."""
    tables = [source for source in sources if isinstance(source, RowsSource)]
    fewest = min((source.facts.n_groups for source in tables if source.facts.n_groups), default=0)
    if fewest:
        # measured in docs/reference/groups_under_the_null.md: F of 5x2cv finds too much between groups
        return RepeatedFolds(folds=max(2, min(5, fewest)), repeats=1)
    return FiveByTwo() if tables else FreshSamples()


def _check_different(name: str, keys: list[str]) -> None:
    if not keys:
        raise WorkbenchError(f"the study has no {name}: give at least one")
    for key in keys:
        check_name(key, f"a key of the study's {name}")
        if keys.count(key) > 1:
            raise WorkbenchError(f"{name} has the key {key!r} twice: give each its own key")


def _check_same(name: str, identities: dict[str, str]) -> None:
    first: dict[str, str] = {}
    for key, identity in identities.items():
        if identity in first:
            raise WorkbenchError(f"{name} {first[identity]!r} and {key!r} are the same: leave one out")
        first[identity] = key


def _checked_compared(keys: Any, learners: tuple[LearnerSpec, ...]) -> tuple[str, ...]:
    if isinstance(keys, str) or not isinstance(keys, Iterable):
        raise WorkbenchError(f"compared is {keys!r}: expected a list of learners' keys")
    keys, known = tuple(keys), [spec.key for spec in learners]
    for key in keys:
        if key not in known:
            raise WorkbenchError(f"unknown learner {key!r} in compared; {nearest(str(key), known)}")
    if len(keys) == 1 or len(set(keys)) < len(keys):
        raise WorkbenchError(f"compared is {list(keys)}: expected at least two learners, each named once")
    return keys


def _check_design(design: Design, sources: tuple[AnySource, ...]) -> None:
    if not isinstance(design, Design):
        on_datasets = any(isinstance(source, RowsSource) for source in sources)
        raise WorkbenchError(
            f"design is {design.__name__ if isinstance(design, type) else repr(design)}: expected a design "
            f"of workbench.designs, such as {'FiveByTwo()' if on_datasets else 'FreshSamples()'}"
        )
    check_name(getattr(design, "key", None), f"the key of the design {type(design).__name__}")
    if not isinstance(design.test, PairTest):
        raise WorkbenchError(
            f"the test of design {design.key!r} is {design.test!r}: expected a PairTest of "
            "workbench.comparisons, such as CorrectedT()"
        )
    check_name(getattr(design.test, "name", None), f"the name of the test of design {design.key!r}")
    if design.test.decides not in design.test.statistics and not design.test.by_intervals:
        raise WorkbenchError(
            f"the test of design {design.key!r} decides by {design.test.decides!r}, which is not among its "
            f"statistics, {list(design.test.statistics)}: add it to them"
        )
    for source in sources:
        kind = "datasets" if isinstance(source, RowsSource) else "truths"
        if kind != design.source_kind:
            own, other = KINDS[design.source_kind], KINDS[kind]
            raise WorkbenchError(
                f"design {design.key!r} is for {own}, but source {source.key!r} is one of {other}: choose a "
                f"design for {other}, and keep truths and data sets in separate studies"
            )


def _check_number_of_cells(
    design: Design, sources: tuple[AnySource, ...], learners: tuple[LearnerSpec, ...]
) -> None:
    counts = {name: getattr(design, name, 1) for name in ("replicates", "repeats", "folds", "training_sets")}
    sizes = getattr(design, "sizes", ())
    by_source = sizes if isinstance(sizes, Mapping) else {}
    usual = len(getattr(design, "usual", sizes))
    n_sizes = sum(max(1, len(by_source[s.key]) if s.key in by_source else usual) for s in sources)
    n_cells = math.prod(n for n in counts.values() if isinstance(n, int)) * n_sizes * len(learners)
    if n_cells > MOST_CELLS:
        raise WorkbenchError(
            f"the study has about {n_cells:,} cells, more than {MOST_CELLS:,}: use fewer truths, sizes or "
            "learners, or split it into several studies"
        )


def _check_answers(learners: tuple[LearnerSpec, ...], design: Design) -> None:
    if design.source_kind != "datasets":
        return
    from workbench.estimators.truth_classifier import TruthClassifier

    for spec in learners:
        what = "the generating model" if isinstance(spec.made, TruthClassifier) else "its law"
        if what != "its law" or takes(spec) is not None:
            raise WorkbenchError(
                f"learner {spec.key!r} forecasts with {what}, which is unknown for data sets: leave it out, "
                "or draw rows from generators"
            )


def _check_of_old(learners: tuple[LearnerSpec, ...], design: Design) -> None:
    """Check that no learner has settings of data sets if rows are drawn from truths."""
    for spec in learners:
        if spec.legacy_options and design.source_kind != "datasets":
            name, word = next(iter(spec.legacy_options.items()))
            raise WorkbenchError(
                f"learner {spec.key!r} has {name} = {word!r}, which is for data sets, and the study draws "
                "rows from truths: leave it out"
            )


def _check_places(sources: tuple[AnySource, ...], design: Design) -> None:
    """Check that places of suites have a truth for each replicate."""
    for source in sources:
        if isinstance(source, Source):
            source.check_replicates(design.n_replicates(source.n_truths))


def _check_shared_truths(sources: tuple[AnySource, ...], design: Design) -> None:
    """Check that no truth and replicate belong to two sources, since they identify a stored cell."""
    first: dict[tuple[str, int], str] = {}
    for source in sources:
        if isinstance(source, RowsSource) or not source.is_given:
            continue  # equal ones have been reported already
        for replicate in range(design.n_replicates(source.n_truths)):
            place = (canonical(source.identity(replicate)), replicate)
            if place in first:
                raise WorkbenchError(
                    f"sources {first[place]!r} and {source.key!r} have the same truth as their replicate "
                    f"{replicate}: remove it from one source"
                )
            first[place] = source.key
