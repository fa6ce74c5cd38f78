"""Integer columns of a study's tables that may hold codes: told once a table, before anything is computed."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from learners.tables.columns import FEW_VALUES, holds_few_integers
from workbench.estimators.foreign import adapt
from workbench.study.dataset_source import TableSource

if TYPE_CHECKING:
    from workbench.study.study import Study

__all__ = ["integer_sentences"]


def integer_sentences(study: "Study") -> Iterator[str]:
    """Say once what every fit of a learner would say of integer columns with few values."""
    if not any(map(_goes_by_dtypes, (spec.build() for spec in study.learners))):
        return
    for source in study.sources:
        if not isinstance(source, TableSource) or source.known is not None:
            continue
        names = [name for name, column in source.table.X.items() if holds_few_integers(column.array)]
        if names:
            yield _sentence(source, names)


def _goes_by_dtypes(learner: Any) -> bool:
    return adapt(learner) is learner and isinstance(getattr(learner, "categorical_features", 0), str)


def _sentence(source: TableSource, names: list[Any]) -> str:
    """Say which columns, and how to declare them where they come from."""
    one = len(names) == 1
    how = 'give those that are nominal the dtype "category"'
    if source.is_file:
        listed = ", ".join(f'"{name}"' for name in names)
        how = f'add nominal = [{listed}] beside dataset = "{source.dataset}", as far as they are nominal'
    return (
        f"source {source.key!r}: {'column' if one else 'columns'} {', '.join(map(repr, names))} "
        f"{'holds' if one else 'hold'} integers with at most {FEW_VALUES} distinct values and "
        f"{'is' if one else 'are'} taken as numeric; {how}"
    )
