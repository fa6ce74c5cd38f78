"""The share of a study that is computed, if it is incomplete."""

from typing import TYPE_CHECKING

from workbench.base.text import count_of

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["partial_note"]


def partial_note(results: "StudyResults") -> str:
    """Report the number of computed cells, if not all, which rows belong together, and the design's note."""
    cells, notes = results.cells(), [results.study.of_groups, results.design.note]
    computed = cells["state"] != "pending"
    if computed.all():
        return " ".join(filter(None, notes))
    blocks = results.design.blocks
    whole = computed.groupby([cells[name] for name in ("source", *blocks.key)], observed=True).all()
    have = "has" if whole.sum() == 1 else "have"
    progress = (
        f"Computed so far: {computed.sum()} of {count_of(len(cells), 'cell')}. {whole.sum()} of "
        f"{count_of(len(whole), blocks.one)} {have} scores of every learner."
    )
    return " ".join(filter(None, [progress, *notes]))
