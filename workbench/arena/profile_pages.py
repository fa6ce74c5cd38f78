"""The page of each learner in the arena: its profile, from the scores that are there."""

from dataclasses import replace

import numpy as np
import pandas as pd

from workbench.arena.entering import ArenaField
from workbench.base.text import count_of
from workbench.profiles.document import document_of
from workbench.profiles.findings import ProfileFindings, findings_of
from workbench.profiles.measure import Measured
from workbench.profiles.part import SuitePart
from workbench.profiles.reference import Reference
from workbench.profiles.scores import CEILINGS, LOSS, SuiteScores
from workbench.report.document import Document

__all__ = ["profile_pages"]

COLUMNS = ("learner", "source", "replicate", "n_train", "state", "message")


def profile_pages(field: ArenaField, reference: Reference, *, n_jobs: int = 1) -> dict[str, Document]:
    """Return the profile of every learner but the ceilings, as documents."""
    from joblib import Parallel, delayed

    keys = [key for key in field.scores.learners if key not in CEILINGS]
    found = Parallel(n_jobs=n_jobs)(delayed(_found)(field, reference, key) for key in keys)
    return {key: document_of(one) for key, one in zip(keys, found, strict=True) if one is not None}


def _found(field: ArenaField, reference: Reference, key: str) -> ProfileFindings | None:
    own, is_reference = field.measured.get(key), key in reference.learners
    if own is None:
        part = reference.parts[key]
        own = Measured(_on_part(field.scores.only(learners=[key]), part), part, pd.DataFrame(columns=COLUMNS))
    if not np.isfinite(own.scores.values[LOSS]).any():
        return None
    found = findings_of(own, reference, identity=reference.identities.get(key), is_reference=is_reference)
    n_failed = field.failures.get(key, 0) if is_reference else 0
    if n_failed:
        fits = count_of(n_failed, "fit")
        note = f"{fits} failed; there it counts as if it had forecast the class frequencies."
        found = replace(found, notes=(*found.notes, note))
    return found


def _on_part(scores: SuiteScores, part: SuitePart) -> SuiteScores:
    """Return the scores of one learner on the part that it was measured on."""
    sizes = [size for size in scores.sizes if size <= part.largest]
    return scores.only(n_truths=part.n_truths, sizes=sizes)
