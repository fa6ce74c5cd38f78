"""Write identities.json: by which words cells, and the seeds made of them, know learners, metrics and truths.

    python tests/golden/make_identities.py

Run it after adding a member, which adds lines. A line that changes or goes makes stored cells worthless, so
that happens only where an `algorithm_version` was raised or a member was removed on purpose.
"""

import json
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from workbench.base import catalogue
from workbench.base.identity import class_identity, learner_identity
from workbench.estimators.rivals import RIVALS
from workbench.study.source import Source

PACKAGES = ("generators", "learners", "workbench")


def identities() -> dict[str, dict[str, Any]]:
    """Return what cells hold of every family, by key, and of other classes that declare an identity."""
    learners = {key: learner_identity(learner()) for key, learner in members("learners").items()}
    for identity in learners.values():
        if "version" in identity:  # of somebody else's package, so not ours to keep
            identity["version"] = "any"
    metrics = {key: class_identity(type(metric)) for key, metric in members("metrics").items()}
    known = {identity["class"] for identity in (*learners.values(), *metrics.values())}
    declared = map(class_identity, (kind for kind in classes() if "workbench_identity" in vars(kind)))
    return {
        "learners": learners,
        "metrics": metrics,
        "designs": {key: design().describe() for key, design in members("designs").items()},
        "generators": {key: Source(key, generator=key).identity(0) for key in members("generators")},
        "classes": {one["class"]: one for one in declared if one["class"] not in known},
    }


def members(family: str) -> dict[str, Any]:
    """Return our members of a family, without those of other packages."""
    keys = (key for key in catalogue.keys(family) if not catalogue.package_of(family, key))
    return {key: catalogue.find(family, key) for key in keys if family != "learners" or key not in RIVALS}


def classes() -> Iterator[type]:
    """Yield every class of the three packages at the place where it is defined."""
    for name in PACKAGES:
        package = import_module(name)
        found = [one.name for one in pkgutil.walk_packages(package.__path__, f"{name}.")]
        modules = [package, *(import_module(one) for one in found if not one.endswith("__main__"))]
        for module in modules:
            for thing in vars(module).values():
                if isinstance(thing, type) and thing.__module__ == module.__name__:
                    yield thing


def text(found: dict[str, dict[str, Any]]) -> str:
    """Write a line for each identity."""
    families = (
        f'"{family}": {{\n'
        + ",\n".join(f' "{key}": {json.dumps(known[key], sort_keys=True)}' for key in sorted(known))
        + "\n}"
        for family, known in sorted(found.items())
    )
    return "{\n" + ",\n".join(families) + "\n}\n"


if __name__ == "__main__":
    Path(__file__).with_name("identities.json").write_text(text(identities()), encoding="utf-8")
