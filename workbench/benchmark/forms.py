"""The formats of a benchmark's tables, by name."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from workbench.base.errors import WorkbenchError, nearest
from workbench.benchmark import arff_form, csv_form, parquet_form
from workbench.benchmark.columns import Block, Column

__all__ = ["FORMS", "Form", "form_of"]


@dataclass(frozen=True)
class Form:
    """How tables are written and read.

    Attributes
    ----------
    write : callable
        ``write(path, columns, blocks)``.
    read : callable
        ``read(path, columns)`` gives blocks.
    check : callable
        ``check()`` raises WorkbenchError if a package that it needs is not installed.
    """

    write: Callable[[Path, Sequence[Column], Iterable[Block]], None]
    read: Callable[[Path, Sequence[Column]], Iterator[Block]]
    check: Callable[[], None] = lambda: None


#: By name, which is the ending of files.
FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "parquet": Form(parquet_form.write, parquet_form.read, parquet_form.check_library),
        "csv": Form(csv_form.write, csv_form.read),
        "arff": Form(arff_form.write, arff_form.read),
    }
)


def form_of(name: object) -> Form:
    """Look a format up."""
    if not isinstance(name, str) or name not in FORMS:
        raise WorkbenchError(f"the format is {name!r}: {nearest(name, FORMS)}")
    return FORMS[name]
