"""A study on the rows that another met too, as it is and with one learner's setting turned."""

from dataclasses import dataclass, field

import pandas as pd

from workbench.recreation.printed_table import ScoreWords
from workbench.recreation.units import Column, Units

__all__ = ["Shared", "Turned"]


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

    def column(self, source: str, learner: str, score: ScoreWords) -> Column:
        """Give the scores of a learner on a table, as `Units.column` does; all where no rows are shared."""
        found = self.units.column(source, learner, score)
        both = found.values.index.intersection(self.places(source))
        return Column(found.values[both]) if len(both) else found

    def places(self, source: str) -> pd.Index:
        """Give the places of a table that have the same test rows in both studies."""
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
        """Give the scores of one learner on one table, as `Units.column` does.

        Scores of the variant are given on the test rows that both studies met, so that it can be paired with
        other learners. Where there are none, all its scores are given, as of places of their own.
        """
        if learner != self.learner:
            return self.shared.column(source, learner, score)
        found = self.shared.switches.column(source, self.variant, score)
        if found.why:
            return found
        both = found.values.index.intersection(self.shared.places(source))
        if len(both):
            return Column(found.values[both])
        return Column(found.values.rename(lambda replicate: -1 - replicate, level="replicate"))
