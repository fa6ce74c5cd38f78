"""What a store may name: its catalogue's words, and code that somebody else has loaded already.

A study file is believed: its generators, learners and metrics are code that its author chose. A store may
come from anywhere, and reading it imports and calls nothing that it names.
"""

import functools
import inspect
import sys
from importlib.metadata import entry_points, packages_distributions
from typing import Any

from workbench.base.errors import WorkbenchError

__all__ = ["check_generator", "check_metric"]

#: Packages whose import does nothing.
OWN = ("generators", "learners", "workbench")
#: Of entry points by which packages offer generators.
GROUP = "workbench.generators"


def check_generator(word: object) -> None:
    """Refuse a generator that is code which nobody has loaded."""
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
    """Refuse the class of a metric that nobody has loaded."""
    from workbench.metrics._shared.base import Metric

    if isinstance(word, str) and word.split(".")[0] in OWN:
        return
    found = _loaded(word)
    if not (isinstance(found, Metric) or (isinstance(found, type) and issubclass(found, Metric))):
        raise _refused("metric", word)


def _may_be_a_generator(word: str) -> bool:
    """Whether a place is one of ours, in the user's own code, or in a package that offers generators.

    Functions of other packages that take a `random_state` might read or write files of the store's choice.
    """
    if word.startswith("generators:random_"):
        return True
    top = word.partition(":")[0].partition(".")[0]
    if top in OWN or top in sys.stdlib_module_names - {"__main__"}:
        return False
    offered = {point.value.partition(":")[0].partition(".")[0] for point in entry_points(group=GROUP)}
    return top in offered or top not in packages_distributions()


def _loaded(word: object) -> Any:
    """Return what a place stands for if its module is there already; None if it is not."""
    module, _, attribute = str(word).partition(":")
    return functools.reduce(
        lambda thing, name: getattr(thing, name, None), attribute.split("."), sys.modules.get(module)
    )


def _refused(what: str, word: object) -> WorkbenchError:
    return WorkbenchError(
        f"the store names the {what} {word!r}, which is code, and a store is not believed so far: import its "
        "module first, in Python, and ask again there"
    )
