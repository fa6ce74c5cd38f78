"""What a profile finds: the noun that its pictures, pages and words are made from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from workbench.base.seeds import canonical
from workbench.base.text import and_of, count_of
from workbench.invariances.result import Invariances
from workbench.profiles.costs import Costs, costs_of
from workbench.profiles.habits import Habits, habits_of
from workbench.profiles.kinds import KindsMap, kinds_map
from workbench.profiles.knobs import Responses, responses_of
from workbench.profiles.measure import Measured
from workbench.profiles.part import SuitePart
from workbench.profiles.reference import Reference, fallen_back
from workbench.profiles.required_rows import rows_needed
from workbench.profiles.scores import CEILINGS, SuiteScores, joined

__all__ = ["COMPANIONS", "ProfileFindings", "findings_of"]

#: The learners that pictures show next to the profiled one, unless others are named.
COMPANIONS = ("nb", "tan", "c45", "boosting")


@dataclass(frozen=True, eq=False, repr=False)
class ProfileFindings:
    """What was found of a learner; `workbench.profiles.profile.Profile` explains the fields."""

    learner: str
    part: SuitePart
    scores: SuiteScores
    companions: tuple[str, ...]
    kinds: KindsMap
    responses: Responses
    habits: Habits
    needs: pd.DataFrame
    costs: Costs
    spread: pd.DataFrame
    invariances: Invariances | None
    failed: pd.DataFrame
    notes: tuple[str, ...] = ()

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables by name: map, probes, effects, habits, neighbors, needs, costs, scaling, spread, ..."""
        found = {
            "map": self.kinds.table,
            "probes": self.responses.table,
            "effects": self.responses.effects,
            "habits": self.habits.table,
            "neighbors": self.habits.neighbors,
            "needs": self.needs,
            "costs": self.costs.table,
            "scaling": self.costs.scaling,
            "spread": self.spread,
        }
        return found if self.invariances is None else {**found, "invariances": self.invariances.table}


def findings_of(
    own: Measured,
    reference: Reference,
    *,
    identity: Any = None,
    companions: Sequence[str] = COMPANIONS,
    invariances: Invariances | None = None,
    spread: pd.DataFrame | None = None,
    scaling: pd.DataFrame | None = None,
    yardstick: SuiteScores | None = None,
) -> ProfileFindings:
    """Compute what a profile finds from its scores and those of the reference learners."""
    # a reference learner of the same identity is left out, as it is the learner itself; costs are next to
    # those of `yardstick`, or of the reference results for a learner that is one of them
    (learner,) = own.scores.learners
    others = [
        key
        for key in reference.learners
        if key in CEILINGS or identity is None or canonical(reference.identities[key]) != canonical(identity)
    ]
    measured = joined(own.scores, reference.scores.only(learners=others))
    scores = fallen_back(measured, own.failed, measured.only(learners=["prior"]))
    shown = tuple(key for key in companions if key in others)
    return ProfileFindings(
        learner,
        own.part,
        scores,
        shown,
        kinds_map(scores, learner),
        responses_of(scores, tuple(dict.fromkeys((learner, *shown, "prior")))),
        habits_of(measured, learner),  # of what it forecast itself
        rows_needed(scores, learner),
        costs_of(scores, learner, reference.scores if yardstick is None else yardstick, scaling=scaling),
        pd.DataFrame() if spread is None else spread,
        invariances,
        own.failed,
        tuple(_notes(own)),
    )


def _notes(own: Measured) -> Iterator[str]:
    """Say which part was measured, how wide its intervals are, and what failed."""
    yield f"Measured on {own.part.words}."
    if own.failed.empty:
        return
    fits = count_of(len(own.failed), "fit")
    timed_out = int((own.failed["state"] == "timed_out").sum())
    why = str(own.failed["message"].iloc[0])
    reason = f" ({why})" if why else ""
    slow = f", {timed_out} after the time limit" if timed_out else ""
    where = and_of(list(dict.fromkeys(own.failed["source"]))[:3])
    yield (
        f"{fits} of {own.part.n_cells:,} failed{slow}, such as on {where}{reason}. There the learner "
        "is scored as if it had forecast the class frequencies."
    )
