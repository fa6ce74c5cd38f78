"""Checks of a store's content, which may have been damaged or changed."""

from collections.abc import Iterable

from workbench.base.checks import check_name
from workbench.base.errors import WorkbenchError
from workbench.study.document import StudyDocument

__all__ = ["check_names", "damaged", "read_study"]


def read_study(text: object) -> StudyDocument:
    """Read the record of a study."""
    try:
        return StudyDocument.from_json(text)
    except WorkbenchError as error:
        raise damaged(str(error)) from error


def check_names(names: Iterable[object]) -> None:
    """Raise WorkbenchError for a name that a table, a page or a spreadsheet would not show unchanged."""
    for name in names:
        check_name(name, "a name in the store")


def damaged(trouble: str) -> WorkbenchError:
    """Return the error for a store with content that no run writes."""
    return WorkbenchError(f"the store is damaged ({trouble}): restore a copy of it, or use another")
