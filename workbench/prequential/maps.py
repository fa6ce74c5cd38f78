"""The recalibration maps by key."""

import copy
from collections.abc import Mapping
from types import MappingProxyType

from workbench.base.errors import WorkbenchError, nearest
from workbench.prequential._shared.base import RecalibrationMap
from workbench.prequential.histogram import HistogramMap
from workbench.prequential.platt import PlattMap

__all__ = ["MAPS", "new_map"]

#: The classes of recalibration maps by their keys.
MAPS: Mapping[str, type[RecalibrationMap]] = MappingProxyType(
    {kind.key: kind for kind in (HistogramMap, PlattMap)}
)


def new_map(recalibration: "str | RecalibrationMap", n_classes: int) -> RecalibrationMap:
    """Make the map that a key or an instance names."""
    if isinstance(recalibration, RecalibrationMap):
        if recalibration.n_classes != n_classes:
            raise WorkbenchError(
                f"the map is for {recalibration.n_classes} classes: expected {n_classes}, as the rows have"
            )
        return copy.deepcopy(recalibration)
    if recalibration not in MAPS:
        raise WorkbenchError(f"unknown recalibration {recalibration!r}; {nearest(recalibration, MAPS)}")
    return MAPS[recalibration](n_classes)
