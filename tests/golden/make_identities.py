"""Write identities.json: by which words seeds, cells and stores know learners, metrics, truths and functions.

    python tests/golden/make_identities.py

Run it after adding a member, which adds lines. A line that changes or goes makes stored cells worthless, so
that happens only where an `algorithm_version` was raised or a member was removed on purpose.
"""

import inspect
import json
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from workbench.base import catalogue
from workbench.base.identity import class_identity, learner_identity, plain
from workbench.study.source import Source

PACKAGES = ("generators", "learners", "workbench")


def identities() -> dict[str, dict[str, Any]]:
    """Return what is known of every family, by key, name or declared identity."""
    from generators.files.documents import KINDS

    modules = list(all_modules())
    learners = {key: learner_identity(learner()) for key, learner in members("learners").items()}
    for identity in learners.values():
        if "version" in identity:  # of somebody else's package, so not ours to keep
            identity["version"] = "any"
    return {
        "learners": learners,
        "metrics": {key: class_identity(type(metric)) for key, metric in members("metrics").items()},
        "designs": {key: design().describe() for key, design in members("designs").items()},
        "generators": {key: Source(key, generator=key).identity(0) for key in members("generators")},
        "kinds of truths": {kind: class_identity(KINDS[kind]) for kind in KINDS if is_ours(KINDS[kind])},
        "functions": {name: plain(function)["callable"] for name, function in exported_functions(modules)},
        "classes": {declared["class"]: declared for declared in map(class_identity, declaring(modules))},
    }


def members(family: str) -> dict[str, Any]:
    """Return our members of a family, without those of other installed packages."""
    keys = (key for key in catalogue.keys(family) if not catalogue.package_of(family, key))
    return {key: catalogue.find(family, key) for key in keys}


def all_modules() -> Iterator[ModuleType]:
    """Import every module of the three packages."""
    for name in PACKAGES:
        package = import_module(name)
        yield package
        for found in pkgutil.walk_packages(package.__path__, f"{name}."):
            if not found.name.endswith("__main__"):
                yield import_module(found.name)


def exported_functions(modules: list[ModuleType]) -> Iterator[tuple[str, Any]]:
    """Yield the functions that public packages export, by the names under which they are imported."""
    for module in modules:
        if hasattr(module, "__path__") and not any(
            part.startswith("_") for part in module.__name__.split(".")
        ):
            for name in getattr(module, "__all__", ()):
                if inspect.isfunction(thing := getattr(module, name)):
                    yield f"{module.__name__}.{name}", thing


def is_ours(kind: type) -> bool:
    return kind.__module__.partition(".")[0] in PACKAGES


def classes(modules: list[ModuleType]) -> Iterator[type]:
    """Yield every class at the place where it is defined."""
    for module in modules:
        for thing in vars(module).values():
            if isinstance(thing, type) and thing.__module__ == module.__name__:
                yield thing


def declaring(modules: list[ModuleType]) -> list[type]:
    """List the classes that declare an identity."""
    return [kind for kind in classes(modules) if "workbench_identity" in vars(kind)]


if __name__ == "__main__":
    text = json.dumps(identities(), indent=1, sort_keys=True)
    Path(__file__).with_name("identities.json").write_text(text + "\n", encoding="utf-8")
