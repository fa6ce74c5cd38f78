"""How much of a study is computed, where some of it is not."""

from typing import TYPE_CHECKING

from workbench.base.text import count_of

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["so_far"]


def so_far(results: "StudyResults") -> str:
    """Write how many cells are computed and where every learner is, and if the design's test is unknown."""
    cells = results.cells()
    computed = cells["state"] != "pending"
    if computed.all():
        return results.design.note
    blocks = results.design.blocks
    whole = computed.groupby([cells[name] for name in ("source", *blocks.key)], observed=True).all()
    have = "has" if whole.sum() == 1 else "have"
    progress = (
        f"So far: {computed.sum()} of {count_of(len(cells), 'cell')}; "
        f"{whole.sum()} of {count_of(len(whole), blocks.one)} {have} every learner."
    )
    return f"{progress} {results.design.note}".strip()
