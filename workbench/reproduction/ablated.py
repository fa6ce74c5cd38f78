"""A study on the rows that another met too, as it is and with one learner's setting turned."""

from dataclasses import dataclass, field

import pandas as pd

from workbench.base.errors import WorkbenchError
from workbench.reproduction.printed_table import ScoreWords
from workbench.reproduction.units import Column, Units

__all__ = ["Shared", "Turned"]

NONE_SHARED = "the study and that of the switches have met no part of the table both"


@dataclass(frozen=True, eq=False)
class Shared:
    """A study on the test rows that another study met too: what a variant can be compared with.

    Parameters
    ----------
    units : Units
        Of the study.
    switches : Units
        Of the other one.
    """

    units: Units
    switches: Units
    _places: dict[str, pd.Index] = field(default_factory=dict, repr=False)

    def check(self, source: str) -> None:
        """Raise WorkbenchError if the two studies split a table otherwise."""
        two = [units.digests(source).index for units in (self.units, self.switches)]
        if len(two[0].intersection(two[1])) and not len(self.places(source)):
            raise WorkbenchError(
                f"the study of the switches splits {source!r} otherwise than the study, so nothing can be "
                "compared: run it with the study's seed, design and tables"
            )

    def column(self, source: str, learner: str, score: ScoreWords) -> Column:
        """Return the scores of a learner on the shared rows of a table, as `Units.column` does."""
        return self.of_shared(source, self.units.column(source, learner, score))

    def of_shared(self, source: str, found: Column) -> Column:
        """Return those scores of a table that are of test rows that both studies met."""
        if found.why:
            return found
        values = found.values[found.values.index.intersection(self.places(source))]
        return Column(values, "" if len(values) else NONE_SHARED)

    def places(self, source: str) -> pd.Index:
        """Return the places of a table that have the same test rows in both studies."""
        if source not in self._places:
            two = [units.digests(source) for units in (self.units, self.switches)]
            met = pd.concat(two, axis=1, keys=["study", "switches"])
            self._places[source] = met.index[met["study"] == met["switches"]]
        return self._places[source]


@dataclass(frozen=True, eq=False)
class Turned:
    """A study in which one learner gives way to itself with a setting turned.

    Parameters
    ----------
    shared : Shared
        The study, and the one that has the variant.
    learner, variant : str
        Key in the one, and in the other.
    """

    shared: Shared
    learner: str
    variant: str

    def column(self, source: str, learner: str, score: ScoreWords) -> Column:
        """Return the scores of one learner on the shared rows of one table, as `Units.column` does."""
        if learner != self.learner:
            return self.shared.column(source, learner, score)
        return self.shared.of_shared(source, self.shared.switches.column(source, self.variant, score))
