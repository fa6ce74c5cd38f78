"""A study in which one learner gives way to itself with a setting turned."""

from dataclasses import dataclass, field

import pandas as pd

from workbench.recreation.printed_table import ScoreWords
from workbench.recreation.units import Column, Units

__all__ = ["Turned"]


@dataclass(frozen=True, eq=False)
class Turned:
    """A study in which one learner gives way to itself with a setting turned.

    Parameters
    ----------
    units : Units
        Of the study.
    switches : Units
        Of the study that has the variant.
    learner, variant : str
        Key in the one, and in the other.
    """

    units: Units
    switches: Units
    learner: str
    variant: str
    _places: dict[str, pd.Index] = field(default_factory=dict, repr=False)

    def column(self, source: str, learner: str, score: ScoreWords) -> Column:
        """Give the scores of one learner on one table, as `Units.column` does.

        Scores of the variant are given on the test rows that both studies met, so that it can be paired with
        other learners. Where there are none, all its scores are given, as of places of their own.
        """
        if learner != self.learner:
            return self.units.column(source, learner, score)
        found = self.switches.column(source, self.variant, score)
        if found.why:
            return found
        both = found.values.index.intersection(self._shared(source))
        if len(both):
            return Column(found.values[both])
        return Column(found.values.rename(lambda replicate: -1 - replicate, level="replicate"))

    def _shared(self, source: str) -> pd.Index:
        """Give the places of a table that have the same test rows in both studies."""
        if source not in self._places:
            two = [units.digests(source) for units in (self.units, self.switches)]
            met = pd.concat(two, axis=1, keys=["study", "switches"])
            self._places[source] = met.index[met["study"] == met["switches"]]
        return self._places[source]
