"""Alterations of truths that are given: which there may be, how they are told, and their stream."""

from collections.abc import Mapping
from typing import Any

from workbench.base.errors import WorkbenchError, nearest
from workbench.base.identity import plain
from workbench.base.seeds import canonical, generator_for

__all__ = ["alter", "alteration_identity", "check_alterations"]


def check_alterations(options: Mapping[str, Any], what: str) -> None:
    """Make sure that options are those of `generators.altered`."""
    from generators.altered import ALTERATIONS
    from generators.targeted import TARGETS

    for name in options:
        if name in TARGETS or name == "tries":
            raise WorkbenchError(
                f"{name!r} asks for truths that are drawn until one fits, and those of {what} are given: "
                "leave it out, or name a generator"
            )
        if name not in ALTERATIONS:
            raise WorkbenchError(f"{name!r} is no alteration of {what}: {nearest(name, ALTERATIONS)}")


def alteration_identity(options: Mapping[str, Any]) -> dict[str, Any]:
    """Describe alterations for the identity of a truth."""
    from generators.altered import ALTERATIONS

    changed = {name: plain(options[name], name) for name in sorted(options)}
    changed = {name: value for name, value in changed.items() if value != plain(ALTERATIONS[name])}
    return {"altered": changed} if changed else {}


def alter(
    truth: Any, options: Mapping[str, Any], *, identity: Mapping[str, Any], seed: int, replicate: int
) -> Any:
    """Alter a truth that is given, otherwise for each seed and replicate."""
    if not alteration_identity(options):
        return truth
    from generators.altered import altered

    rng = generator_for("alterations", seed, canonical(identity), replicate)
    return altered(truth, **options, random_state=rng)
