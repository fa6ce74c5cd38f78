"""What a store may name: keys of the catalogue, and code that is already imported.

A study file is trusted: its author chose its generators, learners and metrics. A store may come from
anywhere, so reading it never imports or calls what it names.
"""

import functools
import inspect
import sys
from importlib.metadata import entry_points, packages_distributions
from typing import Any

from workbench.base import catalogue
from workbench.base.errors import WorkbenchError

__all__ = ["check_generator", "check_metric", "is_design"]

#: Packages whose import does nothing.
OWN = ("generators", "learners", "workbench")
#: The entry point group of generators.
GROUP = "workbench.generators"


def check_generator(word: object) -> None:
    """Raise WorkbenchError for a generator whose module is not loaded."""
    if isinstance(word, str) and ":" not in word:
        return
    found: Any = _loaded(word) if _may_be_a_generator(str(word)) else None
    try:
        options = list(inspect.signature(found).parameters)
    except (TypeError, ValueError):
        options = []
    if "random_state" not in options:
        raise _refused("generator", word)


def check_metric(word: object) -> None:
    """Raise WorkbenchError for a metric class whose module is not loaded."""
    from workbench.metrics._shared.base import Metric

    if isinstance(word, str) and word.split(".")[0] in OWN:
        return
    found = _loaded(word)
    if not (isinstance(found, Metric) or (isinstance(found, type) and issubclass(found, Metric))):
        raise _refused("metric", word)


def is_design(word: str) -> bool:
    """Return whether a design has a key of the catalogue, or is a class whose module is loaded."""
    from workbench.designs._shared.base import Design

    found = _loaded(word)
    return word in catalogue.keys("designs") or (isinstance(found, type) and issubclass(found, Design))


def _may_be_a_generator(word: str) -> bool:
    """Return whether a place is in this project, the user's code, or a package that offers generators."""
    # other functions that take a `random_state` might read or write files that the store chooses
    if word.startswith("generators:random_"):
        return True
    top = word.partition(":")[0].partition(".")[0]
    if top in OWN or top in sys.stdlib_module_names - {"__main__"}:
        return False
    offered = {point.value.partition(":")[0].partition(".")[0] for point in entry_points(group=GROUP)}
    return top in offered or top not in packages_distributions()


def _loaded(word: object) -> Any:
    """Return the object at a place if its module is loaded, otherwise None."""
    module, _, attribute = str(word).partition(":")
    return functools.reduce(
        lambda thing, name: getattr(thing, name, None), attribute.split("."), sys.modules.get(module)
    )


def _refused(what: str, word: object) -> WorkbenchError:
    return WorkbenchError(
        f"the store names the {what} {word!r}, which is code, and stores are not trusted to import code: "
        "import its module in Python first, and read the store there"
    )
