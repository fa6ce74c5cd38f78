"""Ask the same of each analysis: that the package exports it, and that it is a frozen table."""

import dataclasses
import inspect
import pkgutil

from workbench import analyses

FILES = [found.name for found in pkgutil.iter_modules(analyses.__path__) if not found.ispkg]
#: What a study says, in words where others have a table.
WORDS = {"verdict": "sentence"}


def classes_of(file):
    """List the names that the package exports from a file."""
    home = f"{analyses.__name__}.{file}"
    found = (getattr(analyses, name) for name in analyses.__all__)
    return [member for member in found if isinstance(member, type) and member.__module__ == home]


def test_a_file_is_one_frozen_analysis_that_the_package_exports():
    for file in FILES:
        (analysis,) = classes_of(file)
        assert dataclasses.is_dataclass(analysis)
        assert analysis.__dataclass_params__.frozen
        assert callable(analysis.of)
        found = WORDS.get(file, "table")
        assert found in analysis.__annotations__ or isinstance(getattr(analysis, found), property)
        for _, method in inspect.getmembers(analysis, inspect.ismethod):
            asked = inspect.signature(method).parameters
            assert "results" not in asked or not {"metric", "prior"} & set(asked), "a score is one argument"
