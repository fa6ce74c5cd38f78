"""Who may import whom, by folder: read from the imports, lazy and type-only ones included."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import grimp
import networkx

Arrow = tuple[str, str]


@dataclass(frozen=True)
class House:
    """The rooms of a package, from the top floor to the ground.

    `floors` holds the names of rooms, which are folders or files directly in the package; a room uses the
    floors below it and nothing else, so rooms that stand on one floor do not know each other. "" is the
    package's own `__init__`. Rooms in `lazy_upward` may import from above inside functions.

    In a folder of `members` every file is a member of a family: it imports no sibling. What members share is
    in folders next to them, which import no member; `above` names folders whose files put members together.
    """

    package: str
    floors: Sequence[Sequence[str]]
    members: Sequence[str] = ()
    above: Sequence[str] = ()
    inner: Mapping[str, Sequence[Sequence[str]]] = field(default_factory=dict)


def graph_of(*packages: str) -> networkx.DiGraph:
    """Read the imports of packages: every module, and an arrow to each module that it imports anywhere."""
    found = grimp.build_graph(*packages, exclude_type_checking_imports=False, cache_dir=None)
    graph = networkx.DiGraph()
    graph.add_nodes_from(found.modules)
    for module in found.modules:
        graph.add_edges_from((module, other) for other in found.find_modules_directly_imported_by(module))
    return graph


def circles(graph: networkx.DiGraph) -> list[list[str]]:
    """List the groups of modules that import each other in a circle."""
    return sorted(sorted(group) for group in networkx.strongly_connected_components(graph) if len(group) > 1)


def roomless(graph: networkx.DiGraph, house: House) -> list[str]:
    """List the modules of a package, and of the rooms with floors of their own, that are in no room."""
    found = []
    for package, floors in {house.package: house.floors, **house.inner}.items():
        known = {room for floor in floors for room in floor}
        found += [module for module in _own(graph, package) if _room(module, package) not in known]
    return sorted(found)


def back_arrows(graph: networkx.DiGraph, house: House) -> list[Arrow]:
    """List the imports from a room to one that does not stand below it."""
    return sorted(
        arrow
        for package, floors in {house.package: house.floors, **house.inner}.items()
        for arrow in _against(graph, package, floors)
    )


def sibling_arrows(graph: networkx.DiGraph, house: House) -> list[Arrow]:
    """List the imports of a member by a sibling, or by what the members share."""
    return sorted(arrow for folder in house.members for arrow in _between_members(graph, folder, house.above))


def _own(graph: networkx.DiGraph, package: str) -> Iterator[str]:
    return (module for module in graph if module == package or module.startswith(f"{package}."))


def _room(module: str, package: str) -> str:
    return module.removeprefix(package).lstrip(".").partition(".")[0]


def _against(graph: networkx.DiGraph, package: str, floors: Sequence[Sequence[str]]) -> Iterator[Arrow]:
    height = {room: -i for i, floor in enumerate(floors) for room in floor}
    for module in _own(graph, package):
        for other in graph.successors(module):
            if other != package and not other.startswith(f"{package}."):
                continue
            here, there = _room(module, package), _room(other, package)
            if here != there and not height.get(there, 0) < height.get(here, 0):
                yield module, other


def _between_members(graph: networkx.DiGraph, folder: str, above: Sequence[str]) -> Iterator[Arrow]:
    folders = {module.rpartition(".")[0] for module in graph}

    def is_member(module: str) -> bool:
        return module.rpartition(".")[0] == folder and module not in folders

    members = {module for module in _own(graph, folder) if is_member(module)}
    for module in _own(graph, folder):
        if module == folder or any(module.startswith(f"{place}.") or module == place for place in above):
            continue
        yield from ((module, other) for other in graph.successors(module) if other in members - {module})
