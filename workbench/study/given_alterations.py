"""Alterations of truths that are given: which there may be, how they are told, and their stream."""

from collections.abc import Mapping
from typing import Any

from workbench.base.errors import WorkbenchError, nearest
from workbench.base.identity import plain
from workbench.base.seeds import canonical, generator_for

__all__ = ["alter", "alteration_identity", "check_alterations"]


def check_alterations(options: Mapping[str, Any], what: str) -> None:
    """Make sure that options are those of `generators.altered`.

    Parameters
    ----------
    options : mapping of str to object
    what : str
        Whose truths are altered, for the error.

    Raises
    ------
    WorkbenchError
        If one is a bound of `generators.draw_with`, for which truths must be drawn, or nothing at all.

    Examples
    --------
    >>> check_alterations({"label_noise": 0.1}, "lawn.bif")
    >>> check_alterations({"bayes_error": [0.1, 0.2]}, "lawn.bif")
    Traceback (most recent call last):
    ...
    workbench.base.errors.WorkbenchError: 'bayes_error' asks for truths that are drawn until one fits, and
    those of lawn.bif are given: leave it out, or name a generator
    """
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
    """Describe alterations for the identity of a truth.

    Parameters
    ----------
    options : mapping of str to object
        Of `generators.altered`.

    Returns
    -------
    dict
        Plain data: the options that differ from the defaults, below "altered"; empty if none does, so that a
        truth that stays as it is has the identity that it always had.

    Examples
    --------
    >>> alteration_identity({"missing": 0.2, "irrelevant": 0})
    {'altered': {'missing': 0.2}}
    >>> alteration_identity({"missing": 0.0})
    {}
    """
    from generators.altered import ALTERATIONS

    changed = {name: plain(options[name], name) for name in sorted(options)}
    changed = {name: value for name, value in changed.items() if value != plain(ALTERATIONS[name])}
    return {"altered": changed} if changed else {}


def alter(
    truth: Any, options: Mapping[str, Any], *, identity: Mapping[str, Any], seed: int, replicate: int
) -> Any:
    """Alter a truth that is given, otherwise for each seed and replicate.

    Parameters
    ----------
    truth : truth
    options : mapping of str to object
        Of `generators.altered`.
    identity : mapping
        Plain data: what decides the truth, the alterations included.
    seed : int
        Of the study or benchmark.
    replicate : int
        The number of the replicate or model.

    Returns
    -------
    truth
        The same object where nothing is asked for.

    Raises
    ------
    ValueError
        If the truth cannot be altered so.

    Examples
    --------
    >>> from generators import random_tan
    >>> truth = random_tan(n_attributes=2, random_state=0)
    >>> noisy = alter(truth, {"label_noise": 0.1}, identity={"truth": "a"}, seed=1, replicate=0)
    >>> noisy.kind, round(noisy.rate, 12), alter(truth, {}, identity={}, seed=1, replicate=0) is truth
    ('label_noise', 0.1, True)
    """
    if not alteration_identity(options):
        return truth
    from generators.altered import altered

    rng = generator_for("alterations", seed, canonical(identity), replicate)
    return altered(truth, **options, random_state=rng)
