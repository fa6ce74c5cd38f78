"""A study as plain data: the dictionary of files and stores, and queries of its readers."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from workbench.base.checks import check_name
from workbench.base.errors import WorkbenchError, check_known
from workbench.base.identity import current_values
from workbench.base.legacy_options import FILE_ORDER, LEGACY_OPTIONS
from workbench.base.names import learner_name
from workbench.base.score_key import ScoreKey
from workbench.base.text import and_of, count_of, error_line
from workbench.designs._shared.base import Design
from workbench.metrics._shared.base import Metric
from workbench.study.scores import Scores, of_datasets, score_keys
from workbench.study.trusted_code import is_design

if TYPE_CHECKING:
    from workbench.study.study import Study

__all__ = ["StudyDocument"]

Identity = Mapping[str, Any]
#: Classes of learners that take part in tests only if they are named, unless they were given a law.
ROLES = {
    "learners.prior:PriorClassifier": "prior",
    "workbench.truth_classifier:TruthClassifier": "truth",
    "workbench.optimal:OptimalClassifier": "optimal",
    "workbench.optimal:OptimalMixClassifier": "optimal_mixture",
}
GIVEN = {"optimal": "law", "optimal_mixture": "laws"}
#: Most learners alongside that are named where learners are counted.
MOST_ALONGSIDE = 4
#: Roles that know the truth, or the law that drew it.
CEILINGS = ("truth", "optimal", "optimal_mixture")


@dataclass(frozen=True, repr=False)
class StudyDocument:
    """The parts of a study that determine its numbers, as a store keeps them.

    Parameters
    ----------
    content : mapping
        The study as in its file. A source or learner that plain data cannot express has only its key.
    What identifies them, by key in the order of the study. Given truths have one identity each.
    """

    content: Mapping[str, Any]
    sources: Mapping[str, Identity | Sequence[Identity]]
    learners: Mapping[str, Identity]

    @classmethod
    def of(cls, study: "Study") -> "StudyDocument":
        """Describe a study."""
        from workbench.study.toml import content_of

        return cls(
            content_of(study),
            {source.key: source.whole_identity for source in study.sources},
            {spec.key: study.learner_identity(spec.key) for spec in study.learners},
        )

    @classmethod
    def from_json(cls, text: object) -> "StudyDocument":
        """Read the text of `to_json` from a store, whose names go into tables and pages."""
        try:
            found = cls(**json.loads(text))  # type: ignore[arg-type]
            names = [found.name, *_checked(found)]
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
            raise WorkbenchError(f"the study's record cannot be read ({error_line(error)})") from error
        for name in names:
            check_name(name, "a name in the store's study")
        return found

    def __repr__(self) -> str:
        return f"<study {self.name!r}, seed {self.seed}: {self.size}>"

    @property
    def size(self) -> str:
        """How many learners are compared on how many sources, and the reference learners, in words."""
        return f"{self.counted_learners} on {count_of(len(self.sources), 'source')}"

    @property
    def counted_learners(self) -> str:
        """How many learners are compared, and which reference learners were added, in words."""
        compared = self.compared_learners() or self.learner_keys
        others = self.other_learners(compared)
        counted = count_of(len(compared), "learner")
        if not others:
            return counted
        named = and_of(list(map(learner_name, others))) if len(others) <= MOST_ALONGSIDE else len(others)
        return f"{counted} (alongside: {named})"

    def to_json(self, *, indent: int | None = None) -> str:
        """Write the document as text for a store, or indented for people."""
        return json.dumps(asdict(self), indent=indent)

    def to_toml(self) -> str:
        """Write the study as the text of its file, or raise WorkbenchError if TOML cannot express it."""
        from workbench.study.toml import text_of

        content = {**self.content, "metrics": self.content["scores"]["metrics"]}
        alone = [
            f"{what} {entry['key']!r}"
            for what in ("source", "learner", "metric")
            for entry in content[f"{what}s"]
            if _is_key_alone(entry)
        ]
        if alone:
            raise WorkbenchError(
                f"these Python objects cannot be written to a study file: {and_of(alone)}. Name files, keys "
                "or classes instead"
            )
        return text_of(self.content)

    @property
    def name(self) -> str:
        """Name of the study."""
        return str(self.content["name"])

    @property
    def seed(self) -> int:
        """Seed of the study."""
        return int(self.content["seed"])

    @property
    def source_keys(self) -> list[str]:
        """Keys of the sources, in order."""
        return list(self.sources)

    @property
    def learner_keys(self) -> list[str]:
        """Keys of the learners, in order."""
        return list(self.learners)

    @property
    def metrics(self) -> tuple[str, ...]:
        """Keys of the metrics, in order."""
        entries = self.content["scores"]["metrics"]
        return tuple(one if isinstance(one, str) else one["key"] for one in entries)

    @property
    def design(self) -> Mapping[str, Any]:
        """The kind of the design, and its options."""
        options: Mapping[str, Any] = self.content["design"]
        return options

    def make_design(self) -> Design | None:
        """Make the design. None if its code is of a package that is not installed or loaded."""
        from workbench.study.toml import design_of  # which reads data sets, and so is slow to import

        return design_of({**self.design}, "") if is_design(self.design["kind"]) else None

    def entry(self, source: str) -> Mapping[str, Any]:
        """Return the entry of a source."""
        found: Mapping[str, Any] = self.content["sources"][self.source_keys.index(source)]
        return found

    def is_kept(self, source: str) -> bool:
        """Whether the entry of a source remakes it. What was given in Python has only the key."""
        return not _is_key_alone(self.entry(source))

    @property
    def on_datasets(self) -> bool:
        """Whether the study splits data sets: its replicates share rows and are not independent."""
        return any("table" in identity for identity in self.sources.values())

    def is_given(self, source: str) -> bool:
        """Whether the truths of a source were given."""
        return isinstance(self.sources[source], Sequence) or "truth" in self.sources[source]

    def n_groups(self, source: str) -> int:
        """Return the number of groups to which the rows of a data set belong, 0 without groups."""
        identity = self.sources.get(source, ())  # results may have sources that a part of a study lacks
        return 0 if isinstance(identity, Sequence) else int(identity.get("groups", 0))

    @property
    def of_groups(self) -> str:
        """Describe the groups of rows in a sentence. Empty without groups."""
        said = [
            f"{key} has {own['rows']} rows in {own['groups']} groups"
            for key, own in self.sources.items()
            if isinstance(own, Mapping) and own.get("groups")
        ]
        kept = "no group is in both the training and the test rows of a part, and tests count groups"
        return f"{and_of(said)}: {kept}." if said else ""

    def digest(self, source: str) -> str | None:
        """Return the hash of the rows of a data set."""
        identity = self.sources[source]
        return None if isinstance(identity, Sequence) else identity.get("table")

    def role(self, learner: str) -> str | None:
        """Return whether a learner is the truth, the prior or an optimum. None for all that are tested."""
        identity = self.learners[learner]
        role = ROLES.get(identity.get("class", ""))
        return None if GIVEN.get(role or "") in identity.get("parameters", {}) else role

    def with_role(self, *roles: str) -> list[str]:
        """List the learners with one of some roles."""
        return [key for key in self.learners if self.role(key) in roles]

    @property
    def ceilings(self) -> list[str]:
        """Keys of the learners that know the truth, or the law that drew it."""
        return self.with_role(*CEILINGS)

    def settings(self, learner: str) -> dict[str, Any]:
        """Return a learner's parameters that are not the default, and input, test_rows and cut_on."""
        identity = self.learners[learner]
        given = {name: identity[name] for name in ("input", *LEGACY_OPTIONS) if name in identity}
        return {**current_values(identity), **given}

    @property
    def in_file_order(self) -> set[str]:
        """The learners whose test rows are scored in the order of the data set."""
        return {key for key, own in self.learners.items() if own.get("test_rows") == FILE_ORDER}

    def only_sources(self, keys: Sequence[str]) -> "StudyDocument":
        """Return the document without all other sources."""
        if isinstance(keys, str) or not keys:
            raise WorkbenchError(f"sources is {keys!r}: expected a list of at least one")
        check_known("source", keys, self.source_keys)
        kept = [key for key in self.sources if key in {*keys}]
        content = {**self.content, "sources": [self.entry(key) for key in kept]}
        return replace(self, content=content, sources={key: self.sources[key] for key in kept})

    def compared_learners(self, asked: Sequence[str] | None = None) -> list[str]:
        """List the learners to compare: those given, the study's, or all but the reference learners."""
        if asked:
            return [key for key in dict.fromkeys(asked) if key in self.learners]
        named = self.content["compared"]
        return [key for key in self.learners if (key in named if named else self.role(key) is None)]

    def other_learners(self, compared: Sequence[str]) -> list[str]:
        """List the learners that are not compared."""
        return [key for key in self.learners if key not in compared]

    def missing_scores(
        self,
        there: Mapping[ScoreKey, int],
        *,
        n_done: int,
        n_exact: int,
        metric: Callable[[str], Metric],
    ) -> dict[ScoreKey, int]:
        """Count the done cells that lack a score that the study asks for."""
        words = {name: self.content["scores"][name] for name in Scores.WORDS}
        wanted = score_keys(self.metrics, **words, metric=metric)
        if self.on_datasets:
            wanted = of_datasets(wanted, metric=metric)
        lacking = {key: (n_exact if key.rows == "exact" else n_done) - there.get(key, 0) for key in wanted}
        return {key: n for key, n in lacking.items() if n > 0}


def _is_key_alone(entry: Any) -> bool:
    return isinstance(entry, Mapping) and {*entry} == {"key"}


def _checked(found: StudyDocument) -> list[str]:
    """Return the names in a document, or raise TypeError or ValueError for content that no run writes."""
    content, scores = found.content, found.content["scores"]
    kinds = [("seed", int), ("keep_predictions", bool), ("design", dict), ("compared", list)]
    texts = [found.name, content["design"]["kind"], *content["compared"]]
    for name in Scores.WORDS:
        texts += _of_kind(scores[name], list, name)
    for name, kind in kinds:
        _of_kind(content[name], kind, name)
    keys: dict[str, list[Any]] = {}
    for name, entries in {**content, "metrics": scores["metrics"]}.items():
        if name in ("sources", "learners", "metrics"):
            keys[name] = [
                one if isinstance(one, str) else _of_kind(one, dict, f"an entry of {name}")["key"]
                for one in _of_kind(entries, list, name)
            ]
    for name, own in (("sources", found.sources), ("learners", found.learners)):
        if keys[name] != list(own) or not own:
            raise ValueError(f"it has the {name} {keys[name]} and identities of {list(own)}")
    for own in found.learners.values():
        _of_kind(_of_kind(own, dict, "a learner").get("parameters", {}), dict, "parameters")
        texts.append(own.get("class", ""))
    for source in found.sources.values():
        for one in source if isinstance(source, list) else [source]:
            identity = _of_kind(one, dict, "a source")
            if "table" in identity and identity.get("groups", 0) != 0:
                _of_kind(identity["groups"], int, "groups")
                _of_kind(identity["rows"], int, "rows")
    texts += [key for own in keys.values() for key in own]
    if not keys["metrics"] or not all(isinstance(text, str) for text in texts):
        raise TypeError("a name in it is not text")
    return [*keys["sources"], *keys["learners"], *keys["metrics"]]


def _of_kind(value: Any, kind: type, what: str) -> Any:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise TypeError(f"{what} is {value!r}")
    return value
