"""The page of each learner in the arena: its profile, from the available scores."""

import numpy as np

from workbench.arena.newcomers import ArenaField
from workbench.profiles.document import document_of
from workbench.profiles.findings import ProfileFindings, findings_of
from workbench.profiles.reference import Reference
from workbench.profiles.scores import CEILINGS, LOSS
from workbench.report.document import Document

__all__ = ["profile_pages"]


def profile_pages(field: ArenaField, reference: Reference, *, n_jobs: int = 1) -> dict[str, Document]:
    """Return the profile of every learner but the ceilings, as documents."""
    from joblib import Parallel, delayed

    keys = [key for key in field.scores.learners if key not in CEILINGS]
    found = Parallel(n_jobs=n_jobs)(delayed(_found)(field, reference, key) for key in keys)
    return {key: document_of(one) for key, one in zip(keys, found, strict=True) if one is not None}


def _found(field: ArenaField, reference: Reference, key: str) -> ProfileFindings | None:
    own = field.measured.get(key) or reference.measured(key)
    if not np.isfinite(own.scores.values[LOSS]).any():
        return None
    return findings_of(own, reference, identity=reference.identities.get(key))
