"""A source of truths: a generator and its parameters, or given truths."""

import functools
import inspect
import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from generators.base.checksum import without_law
from generators.base.generator import former_names
from generators.tables.caller import user_level
from workbench.base import catalogue
from workbench.base.errors import LeftOutWarning, WorkbenchError, nearest
from workbench.base.identity import implementation, plain
from workbench.base.seeds import canonical, digest, generator_for
from workbench.base.text import article, count_of

if TYPE_CHECKING:
    from generators.networks.truth import Truth
    from generators.suites.places import SuitePlace
    from generators.targeted import Drawn

__all__ = ["Source", "alter", "alteration_identity", "check_alterations", "read_truth"]

#: The word by which sources share their random numbers.
SHARED = "shared"


@dataclass(frozen=True)
class Source:
    """A distribution of truths, with a new truth for each replicate.

    Parameters
    ----------
    key : str
        Name of the source in tables.
    generator : str, optional
        A generator's key in the catalogue, or ``"module:function"``.
    parameters : mapping
        Keyword arguments of the generator, alterations (parameters of `generators.altered`), and bounds
        (parameters of `generators.draw_with`). For given truths and for a suite only alterations.
    truths : tuple of truths
        Truths to use instead of a generator. Replicate i uses truth i modulo the number of truths. A truth
        that is given twice is used once.
    suite, place : str, optional
        Truths of a suite, instead of a generator: the name of the suite, and the key of one of its places
        (kind, width and difficulty), such as "tan-narrow-easy" of "bias-v2".
    seeds : {"shared"}, optional
        For generators. All sources with "shared" draw their truths from the same random numbers, so that the
        truths of these sources differ only by their parameters.

    Raises
    ------
    WorkbenchError
        If not exactly one of generator, truths and place is given, or a parameter is unknown.

    See Also
    --------
    DatasetSource : A data set as a source.

    Examples
    --------
    >>> Source("small", "tan", {"n_attributes": 4}).draw(seed=1, replicate=0).n_variables
    5
    """

    key: str
    generator: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    truths: tuple[Any, ...] = ()
    suite: str | None = None
    place: str | None = None
    seeds: str | None = None

    def __post_init__(self) -> None:
        if self.seeds not in (None, SHARED) or (self.seeds and self.generator is None):
            raise WorkbenchError(
                f'source {self.key!r} has seeds = {self.seeds!r}: expected "shared", which needs a generator'
            )
        if self.suite is not None or self.place is not None:
            self._check_place()
            return
        if (self.generator is None) == (not self.truths):
            is_generator = not self.truths and self.key in catalogue.keys("generators")
            meant = f': did you mean Source("{self.key}", "{self.key}")?' if is_generator else ""
            raise WorkbenchError(
                f"source {self.key!r} needs exactly one of a generator, truths, and a place of a suite{meant}"
            )
        if not isinstance(self.truths, tuple | list):
            raise WorkbenchError(
                f"source {self.key!r} has {article(type(self.truths).__name__)} as truths: expected a tuple "
                "of truths"
            )
        for truth in self.truths:
            self._check_truth(truth)
        if self.generator is not None:
            self._check_parameters()
        else:
            check_alterations(self.parameters, f"source {self.key!r}")

    @property
    def is_given(self) -> bool:
        """Whether the truths were given."""
        return bool(self.truths)

    @property
    def is_ours(self) -> bool:
        """Whether a generator of this project, whose law follows from its parameters, draws the truths."""
        if self.suite is not None:
            return True
        if self.generator is None:
            return False
        made = catalogue.find("generators", self.generator)
        return str(getattr(made, "__module__", "")).partition(".")[0] == "generators"

    def given_law(self, replicate: int) -> Any:
        """Return the law of a given truth, before alterations, or None for a generator."""
        return getattr(self.truths[replicate % self.n_truths], "law", None) if self.is_given else None

    def known_classes(self, seed: int) -> tuple[tuple[Any, ...], ...]:
        """Return the classes of each given truth, or of a generator with fixed classes, otherwise none."""
        fixed = isinstance(self.parameters.get("n_classes"), int)
        truths = (self.draw(seed=seed, replicate=0),) if fixed else self.truths
        return tuple(tuple(truth.classes) for truth in truths)

    @property
    def n_truths(self) -> int:
        """Number of given truths, 1 for a generator."""
        return max(1, len(self.truths))

    def identity(self, replicate: int) -> dict[str, Any]:
        """Describe what determines the truth of a replicate."""
        if self.suite is not None:  # not the truth's hash, which depends on the last bits of its numbers
            place = {"suite": self.suite, "place": self.place} | self._shared_rows
            return place | alteration_identity(self.parameters)
        if self.generator is None:
            given = {"truth": self._hashes[replicate % self.n_truths]}
            return given | alteration_identity(self.parameters)
        shared = {"seeds": SHARED} if self.seeds else {}
        return {"generator": self.generator, "parameters": self._changed, **self._made_by, **shared}

    def rows_identity(self, replicate: int) -> dict[str, Any]:
        """Describe what determines the random numbers of rows, shared by all levels of a suite parameter."""
        if self.seeds:
            return {"generator": self.generator, "seeds": SHARED}
        return {"suite": self.suite, **self._shared_rows} if self._shared_rows else self.identity(replicate)

    @property
    def _shared_rows(self) -> dict[str, str]:
        """The word from which all places with the same truths up to one parameter derive their rows."""
        if self.suite is None or self._of_suite.seed == self.place:
            return {}
        return {"rows": self._of_suite.seed}

    @property
    def whole_identity(self) -> dict[str, Any] | list[dict[str, Any]]:
        """Description of the source for all replicates. Given truths have one identity each."""
        if not self.truths:
            return self.identity(0)
        return [self.identity(i) for i in range(self.n_truths)]

    def draw(self, *, seed: int, replicate: int) -> "Truth":
        """Return the truth of a replicate."""
        return self.drawn(seed=seed, replicate=replicate).truth

    def drawn(self, *, seed: int, replicate: int) -> "Drawn":
        """Draw the truth of a replicate, and count the draws until one met the bounds."""
        from generators.altered import random_altered
        from generators.targeted import Drawn, draw_with

        if self.generator is None:
            given = self._of_suite.draw(replicate) if self.suite else self.truths[replicate % self.n_truths]
            identity = self.identity(replicate)
            truth = alter(given, self.parameters, identity=identity, seed=seed, replicate=replicate)
            return Drawn(truth, 1, {})
        make = catalogue.find("generators", str(self.generator))
        of_truth = self.rows_identity(replicate) if self.seeds else self.identity(replicate)
        rng = generator_for("truth", seed, of_truth, replicate)
        # Generators take tuples where TOML has lists.
        options: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in self.parameters.items()
        }
        further = [name for name in _further_options(make) if name in options]
        make = functools.partial(make, **{name: options[name] for name in options if name not in further})
        alterations = {name: options[name] for name in further if name not in _targets()}
        targets = {name: options[name] for name in further if name in _targets()}
        # known by the generator's signature, as bounds may ask for another value of a parameter
        made = functools.update_wrapper(functools.partial(random_altered, make, **alterations), make)
        return draw_with(made, **targets, random_state=rng)

    def renewed(self) -> "Source":
        """Return the source for another run."""
        return self

    def check_draws(self, seed: int) -> None:
        """Draw the first truth, so that wrong parameters raise an error before anything is computed."""
        # given truths are all altered, as they may be of several kinds
        for replicate in range(self.n_truths):
            try:
                truth = self.draw(seed=seed, replicate=replicate)
            except Exception as error:
                reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
                can = "alter its truth"
                if self.generator is not None:
                    can = f"draw a truth with generator {self.generator!r}"
                raise WorkbenchError(f"source {self.key!r} cannot {can}: {reason}") from error
            self._check_truth(truth)

    def only(self, replicate: int) -> "Source":
        """Return a source with only the truth of a replicate, to send less data to a worker process."""
        if self.n_truths == 1:
            return self
        return Source(self.key, parameters=self.parameters, truths=(self.truths[replicate % self.n_truths],))

    def each_once(self) -> "Source":
        """Return the source without duplicate truths, as blocks with one truth would not be independent."""
        firsts = dict(zip(reversed(self._hashes), reversed(self.truths), strict=True))
        n_again = len(self.truths) - len(firsts)
        if not n_again:
            return self
        warnings.warn(
            f"source {self.key!r} has {count_of(len(firsts), 'truth')}, as {n_again} of {len(self.truths)} "
            "are duplicates: for several samples of one truth give a design with training_sets",
            LeftOutWarning,
            stacklevel=user_level(),
        )
        return replace(self, truths=tuple(firsts[one] for one in dict.fromkeys(self._hashes)))

    def check_replicates(self, n: int) -> None:
        """Raise WorkbenchError if a place of a suite has fewer truths than replicates are asked for."""
        most = n if self.suite is None else self._of_suite.n_truths
        if n > most:
            raise WorkbenchError(
                f"the place {self.place!r} of {self.suite} has {most} truths, and the design asks for {n}: "
                f"use replicates = {most} at most"
            )

    @functools.cached_property
    def _of_suite(self) -> "SuitePlace":
        from generators.suites.suite import suite

        return suite(str(self.suite)).place(str(self.place))

    def _check_place(self) -> None:
        if self.suite is None or self.place is None or self.generator is not None or self.truths:
            raise WorkbenchError(
                f"source {self.key!r} is a place of a suite: give suite and place, and neither a generator "
                "nor truths"
            )
        try:
            self._of_suite  # noqa: B018
        except ValueError as error:
            raise WorkbenchError(f"source {self.key!r} cannot be used: {error}") from error
        check_alterations(self.parameters, f"source {self.key!r}")

    @functools.cached_property
    def _hashes(self) -> tuple[str, ...]:
        return tuple(digest(without_law(json.loads(truth.to_json()))) for truth in self.truths)

    @functools.cached_property
    def _changed(self) -> dict[str, Any]:
        make = catalogue.find("generators", str(self.generator))
        defaults = _further_options(make) | _options(make)
        given = {
            name: plain(value, f"{name} of source {self.key}") for name, value in self.parameters.items()
        }
        changed = {
            name: value
            for name, value in sorted(given.items())
            if name not in defaults or plain(defaults[name]) != value
        }
        return former_names(changed) if self.is_ours else changed

    @functools.cached_property
    def _made_by(self) -> dict[str, Any]:
        return implementation(catalogue.find("generators", str(self.generator)))

    def _check_truth(self, truth: Any) -> None:
        if not all(hasattr(truth, verb) for verb in ("sample", "posterior", "class_marginal", "to_json")):
            raise WorkbenchError(
                f"source {self.key!r} contains a {type(truth).__name__}: expected truths such as "
                "generators.Network"
            )
        if getattr(truth, "class_index", 0) is None:
            raise WorkbenchError(
                f"source {self.key!r} contains a {type(truth).__name__} without a class: "
                "name one of its variables, truth.with_class(name)"
            )

    def _check_parameters(self) -> None:
        make = catalogue.find("generators", str(self.generator))
        known = _options(make) | _further_options(make)
        for name in self.parameters:
            if known and name not in known:
                raise WorkbenchError(
                    f"unknown parameter {name!r} of generator {self.generator!r}; {nearest(name, known)}"
                )


def read_truth(text: str, what: str = "a truth") -> "Truth":
    """Read a truth of any kind from JSON text."""
    from generators import from_json

    try:
        return from_json(text)
    except ValueError as error:
        raise WorkbenchError(f"{what} cannot be read: {error}") from error


def check_alterations(options: Mapping[str, Any], what: str) -> None:
    """Check that options are those of `generators.altered`."""
    from generators.altered import ALTERATIONS
    from generators.targeted import TARGETS

    for name in options:
        if name in TARGETS or name == "tries":
            raise WorkbenchError(
                f"{name!r} draws truths until one meets a bound, but those of {what} are given: "
                "leave it out, or name a generator"
            )
        if name not in ALTERATIONS:
            raise WorkbenchError(f"unknown alteration {name!r} of {what}; {nearest(name, ALTERATIONS)}")


def alteration_identity(options: Mapping[str, Any]) -> dict[str, Any]:
    """Describe alterations for the identity of a truth."""
    from generators.altered import ALTERATIONS

    changed = {name: plain(options[name], name) for name in sorted(options)}
    changed = {name: value for name, value in changed.items() if value != plain(ALTERATIONS[name])}
    return {"altered": changed} if changed else {}


def alter(
    truth: Any, options: Mapping[str, Any], *, identity: Mapping[str, Any], seed: int, replicate: int
) -> Any:
    """Alter a given truth, by seed and replicate."""
    if not alteration_identity(options):
        return truth
    from generators.altered import altered

    rng = generator_for("alterations", seed, canonical(identity), replicate)
    return altered(truth, **options, random_state=rng)


def _options(function: Any) -> dict[str, Any]:
    """Return the keyword parameters of a generator and their defaults."""
    parameters = inspect.signature(function).parameters
    if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values()):
        return {}
    return {name: p.default for name, p in parameters.items() if name != "random_state"}


def _further_options(function: Any) -> dict[str, Any]:
    """Return the options that sources take in addition to the generator's, with defaults."""
    from generators.altered import ALTERATIONS

    own = inspect.signature(function).parameters
    if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in own.values()):
        return {}  # all are its own
    return {name: value for name, value in {**ALTERATIONS, **_targets()}.items() if name not in own}


def _targets() -> dict[str, Any]:
    """Return the options of `draw_with`, with defaults."""
    from generators.targeted import draw_with

    parameters = inspect.signature(draw_with).parameters
    return {
        name: p.default
        for name, p in parameters.items()
        if p.kind is p.KEYWORD_ONLY and name != "random_state"
    }
