"""A study as a store keeps it: typed plain data for readers that have no Study."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, cast

from workbench.base import catalogue
from workbench.base.checks import check_name
from workbench.base.errors import WorkbenchError
from workbench.base.of_old import FILE_ORDER, OF_OLD
from workbench.base.score_key import ScoreKey
from workbench.base.seeds import canonical, hashed
from workbench.base.text import error_line
from workbench.designs._shared.base import Design
from workbench.study.metric_facts import MetricFacts
from workbench.study.scores import Scores, of_datasets, score_keys

if TYPE_CHECKING:
    from workbench.study.study import Study

__all__ = ["DesignRecord", "LearnerRecord", "ScoresRecord", "SourceRecord", "StudyRecord"]

Identity = Mapping[str, Any]
#: Yardsticks: learners that take part in tests only if they are named.
PRIOR, TRUTH = "learners.prior:PriorClassifier", "workbench.truth_classifier:TruthClassifier"
OPTIMAL, MIX = "workbench.optimal:OptimalClassifier", "workbench.optimal:OptimalMixClassifier"


@dataclass(frozen=True)
class SourceRecord:
    """The key of a source, and what determines its rows; for given truths an identity each."""

    key: str
    identity: Identity | Sequence[Identity]

    @property
    def is_dataset(self) -> bool:
        """Whether it is a data set, whose truth is unknown."""
        return "table" in self.identity

    @property
    def digest(self) -> str | None:
        """Hash of the rows of a data set."""
        return self._word("table")

    @property
    def generator(self) -> str | None:
        """The generator of its truths, if there is one."""
        return self._word("generator")

    @property
    def place(self) -> tuple[str, str] | None:
        """The suite and the place in it whose truths they are, if they are."""
        suite, place = self._word("suite"), self._word("place")
        return None if suite is None or place is None else (suite, place)

    @property
    def altered(self) -> Mapping[str, Any]:
        """How the truths of a place are altered."""
        return {} if isinstance(self.identity, Sequence) else self.identity.get("altered", {})

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The generator's parameters that are not the default."""
        return {} if isinstance(self.identity, Sequence) else self.identity.get("parameters", {})

    @property
    def is_given(self) -> bool:
        """Whether its truths were given."""
        return isinstance(self.identity, Sequence) or "truth" in self.identity

    def _word(self, name: str) -> str | None:
        return None if isinstance(self.identity, Sequence) else self.identity.get(name)


@dataclass(frozen=True)
class LearnerRecord:
    """The key of a learner, and what determines its numbers."""

    key: str
    identity: Identity

    @property
    def kind(self) -> str:
        """Identity of its class."""
        return str(self.identity.get("class", ""))

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters that are not the default."""
        return cast("Mapping[str, Any]", self.identity.get("parameters", {}))

    @property
    def settings(self) -> dict[str, Any]:
        """The parameters that are not the default, and what else its entry says: input, test_rows, cut_on."""
        given = {name: self.identity[name] for name in ("input", *OF_OLD) if name in self.identity}
        return {**self.parameters, **given}

    @property
    def in_file_order(self) -> bool:
        """Whether its test rows are scored as they stand in the data set."""
        return self.identity.get("test_rows") == FILE_ORDER

    @property
    def is_truth(self) -> bool:
        """Whether it is the truth itself."""
        return self.kind == TRUTH

    @property
    def is_optimal(self) -> bool:
        """Whether it is the optimum under the law of each truth."""
        return self.kind == OPTIMAL and "law" not in self.parameters

    @property
    def is_optimal_mix(self) -> bool:
        """Whether it is the optimum that knows the laws of the study, but not which one it faces."""
        return self.kind == MIX and "laws" not in self.parameters

    @property
    def is_yardstick(self) -> bool:
        """Whether it takes part in tests only if it is named."""
        return self.is_truth or self.is_prior or self.is_optimal or self.is_optimal_mix

    @property
    def is_prior(self) -> bool:
        """Whether it forecasts the class frequencies."""
        return self.kind == PRIOR


@dataclass(frozen=True)
class DesignRecord:
    """The key of a design and its options, as plain data."""

    key: str
    options: Mapping[str, Any]

    @classmethod
    def of(cls, design: Design) -> "DesignRecord":
        """Record a design."""
        values = {f.name: getattr(design, f.name) for f in fields(design)}  # type: ignore[arg-type]
        return cls(design.key, {k: list(v) if isinstance(v, tuple) else v for k, v in values.items()})

    def design(self) -> Design | None:
        """Make the design; None if it is of a package that is not installed."""
        if self.key not in catalogue.keys("designs"):
            return None
        options = {k: tuple(v) if isinstance(v, list) else v for k, v in self.options.items()}
        made: Design = catalogue.find("designs", self.key)(**options)
        return made


@dataclass(frozen=True)
class ScoresRecord:
    """The scores of every cell, and descriptions of metrics that the catalogue does not have."""

    metrics: tuple[str, ...]
    priors: tuple[str, ...]
    rows: tuple[str, ...]
    cutoffs: tuple[str, ...]
    definitions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class StudyRecord:
    """Everything that determines the numbers of a study, as a store keeps it."""

    name: str
    seed: int
    sources: tuple[SourceRecord, ...]
    learners: tuple[LearnerRecord, ...]
    design: DesignRecord
    scores: ScoresRecord
    compared: tuple[str, ...] = ()  # learners that tests compare; empty for all but the yardsticks

    @classmethod
    def of(cls, study: "Study") -> "StudyRecord":
        """Record a study."""
        scores = study.scores
        return cls(
            study.name,
            study.seed,
            tuple(SourceRecord(source.key, source.whole_identity) for source in study.sources),
            tuple(LearnerRecord(spec.key, study.learner_identity(spec.key)) for spec in study.learners),
            DesignRecord.of(study.design),
            ScoresRecord(scores.metrics, scores.priors, scores.rows, scores.cutoffs, scores.descriptions),
            study.compared,
        )

    @classmethod
    def from_json(cls, text: object) -> "StudyRecord":
        """Read the text of `to_json` from a store, whose names go into tables and pages."""
        try:
            content = json.loads(text)  # type: ignore[arg-type]
            scores = {name: tuple(content["scores"][name]) for name in ("metrics", *Scores.WORDS)}
            record = cls(
                content["name"],
                content["seed"],
                tuple(SourceRecord(*member) for member in content["sources"]),
                tuple(LearnerRecord(*member) for member in content["learners"]),
                DesignRecord(*content["design"]),
                ScoresRecord(**scores, definitions=content["scores"].get("definitions", {})),
                tuple(content["compared"]),
            )
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
            raise WorkbenchError(f"the study's record cannot be read ({error_line(error)})") from error
        for name in (record.name, *record.source_keys, *record.learner_keys, *record.metrics):
            check_name(name, "a name in the store's study")
        return record

    def to_json(self, *, indent: int | None = None) -> str:
        """Write the record in canonical form, which is hashed, or indented for people."""
        text = canonical(self._plain())
        return text if indent is None else json.dumps(json.loads(text), indent=indent)

    @property
    def identity(self) -> str:
        """Hash of everything that determines the numbers; 64 hexadecimal digits."""
        return hashed(self.to_json())

    @property
    def on_datasets(self) -> bool:
        """Whether the study splits data sets: its replicates share rows and are not independent."""
        return any(source.is_dataset for source in self.sources)

    @property
    def source_keys(self) -> list[str]:
        """Keys of the sources, in order."""
        return [source.key for source in self.sources]

    @property
    def learner_keys(self) -> list[str]:
        """Keys of the learners, in order."""
        return [learner.key for learner in self.learners]

    @property
    def metrics(self) -> tuple[str, ...]:
        """Keys of the metrics, in order."""
        return self.scores.metrics

    def source(self, key: str) -> SourceRecord:
        """Return the source with a key."""
        return next(source for source in self.sources if source.key == key)

    def learner(self, key: str) -> LearnerRecord:
        """Return the learner with a key."""
        return next(learner for learner in self.learners if learner.key == key)

    def only_sources(self, keys: Iterable[str]) -> "StudyRecord":
        """Return the record without all other sources."""
        kept = {*keys}
        return replace(self, sources=tuple(source for source in self.sources if source.key in kept))

    def compared_learners(self, asked: Sequence[str] | None = None) -> list[str]:
        """List the learners to compare: those asked for, the study's, or all but the yardsticks."""
        named = asked or self.compared
        if named:
            return [key for key in self.learner_keys if key in named]
        return [one.key for one in self.learners if not one.is_yardstick]

    def other_learners(self, compared: Sequence[str]) -> list[str]:
        """List the learners that are not compared."""
        return [key for key in self.learner_keys if key not in compared]

    def missing_scores(
        self,
        there: Mapping[ScoreKey, int],
        *,
        n_done: int,
        n_exact: int,
        facts: Callable[[str], MetricFacts],
    ) -> dict[ScoreKey, int]:
        """Count the done cells that lack a score that the study asks for."""
        asked = self.scores
        wanted = score_keys(asked.metrics, asked.priors, asked.rows, asked.cutoffs, facts=facts)
        if self.on_datasets:
            wanted = of_datasets(wanted, facts=facts)
        lacking = {key: (n_exact if key.rows == "exact" else n_done) - there.get(key, 0) for key in wanted}
        return {key: n for key, n in lacking.items() if n > 0}

    def _plain(self) -> dict[str, Any]:
        scores = {name: list(getattr(self.scores, name)) for name in ("metrics", *Scores.WORDS)}
        own = {"definitions": self.scores.definitions} if self.scores.definitions else {}
        return {
            "name": self.name,
            "seed": self.seed,
            "sources": [[source.key, source.identity] for source in self.sources],
            "learners": [[learner.key, learner.identity] for learner in self.learners],
            "design": [self.design.key, self.design.options],
            "scores": {**scores, **own},
            "compared": list(self.compared),
        }
