"""Who may import whom, by folder: read from the imports, lazy and type-only ones included."""

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import grimp
import networkx

Arrow = tuple[str, str]
Floors = Sequence[Sequence[str]]

#: Ways to import a module named by a string, which no graph of imports shows.
BY_NAME = re.compile(
    r"\bimportlib\b(?!\.(?:metadata|resources)\b)|\b(?:__import__|import_module|resolve_name|runpy|pydoc)\b"
    r"|\b(?:exec|eval)\("
)

#: An import of what only the files of a package use.
PRIVATE = re.compile(
    r"^ *(?:from|import) +(?:generators|learners|workbench)\b.*\b_(?:shared|kernels)\b", re.MULTILINE
)

#: What stands before the codes of a categorical column, and names of labels among which one looks.
CATEGORICAL = {"cat", "array"}
LABELS = re.compile("class|label|categor")


#: Classes of sources and designs, and keys of designs.
KIND_CLASSES = re.compile(
    r"\b(DatasetSource|RowsSource|Resampling|FreshRows|FreshSamples|FiveByTwo|RepeatedFolds|RandomSplits"
    r"|HalfSplits|ScikitSplits|CrossoverSearch|SizesBySource|five_by_two|repeated_folds|random_splits"
    r"|half_splits|scikit_splits|fresh_samples|crossover_search|sizes_by_source)\b"
)
#: Names of the question whether a study, or a source, is of data sets.
OF_KIND = {"on_datasets", "on_data_sets", "is_dataset", "source_kind"}


@dataclass(frozen=True)
class Family:
    """A folder in which every file is a member, and no member imports another or the folder's `__init__`.

    Folders in it are declared by floor: those `above` put members together, what members share is on the
    `ground`.
    """

    above: Floors = ()
    ground: Floors = (("_shared",),)


@dataclass(frozen=True)
class House:
    """The rooms of a package, from the top floor to the ground.

    `floors` holds the names of rooms, which are folders or files directly in the package; a room uses the
    floors below it and nothing else, so rooms that stand on one floor do not know each other. "" is the
    package's own `__init__`. `inner` holds the floors of rooms in the same way, `members` the families.

    `allowed` names, by folder, everything outside the folder that it may import of the repository, beyond
    which the floors decide. Of other packages a package may import only what is allowed here.
    """

    package: str
    floors: Floors
    members: Mapping[str, Family] = field(default_factory=dict)
    inner: Mapping[str, Floors] = field(default_factory=dict)
    allowed: Mapping[str, Sequence[str]] = field(default_factory=dict)


def graph_of(*packages: str) -> networkx.DiGraph:
    """Read the imports of packages: every module, and an arrow to each module that it imports anywhere.

    Other packages are modules without a dot, which import nothing.
    """
    found = grimp.build_graph(
        *packages, exclude_type_checking_imports=False, cache_dir=None, include_external_packages=True
    )
    graph = networkx.DiGraph()
    graph.add_nodes_from(found.modules)
    for module in found.modules:
        graph.add_edges_from((module, other) for other in found.find_modules_directly_imported_by(module))
    return graph


def unread(graph: networkx.DiGraph, root: Path, *packages: str) -> list[str]:
    """List the files of packages that are not in the graph, such as those in a folder without `__init__`.

    No rule sees them. Modules of the graph without a file under `root` are listed as well.
    """
    paths = (path.relative_to(root) for package in packages for path in root.joinpath(package).rglob("*.py"))
    files = {".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths}
    return sorted(files ^ {module for package in packages for module in _own(graph, package)})


def private_imports(root: Path, *folders: str) -> list[str]:
    """List the scripts and guides of folders that import what is private to the packages."""
    texts = (path for folder in folders for path in root.joinpath(folder).rglob("*.*"))
    scripts = (path for path in texts if path.suffix == ".py" or path.match("guides/*.md"))
    found = (path for path in scripts if PRIVATE.search(path.read_text(encoding="utf-8")))
    return sorted(path.relative_to(root).as_posix() for path in found)


def imports_by_name(root: Path, *packages: str) -> list[str]:
    """List the files of packages that can import what a string names."""
    paths = (path for package in packages for path in root.joinpath(package).rglob("*.py"))
    found = (path for path in paths if BY_NAME.search(path.read_text(encoding="utf-8")))
    return sorted(path.relative_to(root).as_posix() for path in found)


def repeated_classes(root: Path, *packages: str) -> dict[str, list[str]]:
    """Return the classes that stand in several files by one name, which readers would take for one."""
    places: dict[str, list[str]] = {}
    for package in packages:
        for path in sorted((root / package).rglob("*.py")):
            for name in re.findall(r"^class (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
                places.setdefault(name, []).append(path.relative_to(root).as_posix())
    return {name: files for name, files in places.items() if len(files) > 1}


def kind_questions(root: Path, *rooms: str) -> list[str]:
    """List the files that ask whether a study is of data sets, by a name or by the class of a source.

    The blocks of a design answer what is meant: are they independent, are there sizes, what are they called.
    """
    asked = []
    for room in rooms:
        place = root / room
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if _asks_for_the_kind(node):
                    asked.append(path.relative_to(root).as_posix())
                    break
    return asked


def _asks_for_the_kind(node: ast.AST) -> bool:
    named = {getattr(node, name, None) for name in ("id", "attr", "arg", "name")}
    called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
    if called in ("getattr", "hasattr"):
        named |= {one.value for one in node.args if isinstance(one, ast.Constant)}  # type: ignore[attr-defined]
    tests = called in ("isinstance", "issubclass") or isinstance(node, ast.Compare | ast.MatchClass)
    return bool(named & OF_KIND) or (tests and KIND_CLASSES.search(ast.unparse(node)) is not None)


def coders(root: Path, ground: str, *packages: str) -> set[str]:
    """List the files outside a folder that turn labels into codes, or might."""
    paths = (path for package in packages for path in root.joinpath(package).rglob("*.py"))
    files = {path.relative_to(root).as_posix(): path for path in paths}
    return {
        name
        for name, path in files.items()
        if not name.startswith(f"{ground}/")
        and any(map(_codes_labels, ast.walk(ast.parse(path.read_text(encoding="utf-8")))))
    }


def _codes_labels(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):  # whatever stands before it: cat.codes, array.codes
        return (
            node.attr == "codes" and isinstance(node.value, ast.Attribute) and node.value.attr in CATEGORICAL
        )
    if not isinstance(node, ast.Call):
        return False
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    keywords = {keyword.arg for keyword in node.keywords}
    if called == "searchsorted":
        return LABELS.search(ast.unparse(node)) is not None
    return (
        called
        in {"get_indexer", "get_indexer_for", "factorize", "from_codes", "LabelEncoder", "OrdinalEncoder"}
        or (called == "Categorical" and (len(node.args) > 1 or "categories" in keywords))
        or (called == "astype" and "'category'" in ast.unparse(node))
        or (called == "unique" and "return_inverse" in keywords)
    )


def circles(graph: networkx.DiGraph) -> list[list[str]]:
    """List the groups of modules that import each other in a circle."""
    return sorted(sorted(group) for group in networkx.strongly_connected_components(graph) if len(group) > 1)


def room_circles(graph: networkx.DiGraph) -> list[list[str]]:
    """List the groups of rooms, of whatever packages, that import each other in a circle."""
    rooms = networkx.DiGraph(
        (".".join(module.split(".")[:2]), ".".join(other.split(".")[:2])) for module, other in graph.edges
    )
    return circles(rooms)


def roomless(graph: networkx.DiGraph, house: House) -> list[str]:
    """List the modules of a package, and of the rooms with floors of their own, that are in no room."""
    found = []
    for package, floors in _all_floors(graph, house):
        known = {room for floor in floors for room in floor}
        found += [module for module in _own(graph, package) if _room(module, package) not in known]
    return sorted(found)


def vacant(graph: networkx.DiGraph, house: House) -> list[str]:
    """List the rooms that have a floor and no module."""
    return sorted(
        f"{package}.{room}"
        for package, floors in _all_floors(graph, house)
        for room in {room for floor in floors for room in floor} - set(_rooms(graph, package))
    )


def floorless(graph: networkx.DiGraph, house: House) -> list[str]:
    """List the folders without floors of their own that need them.

    These are the folders directly in the package and all that share something among their files.
    """
    folders = {module.rpartition(".")[0] for module in _own(graph, house.package)}
    needy = {folder for folder in folders if folder.count(".") == 1 or f"{folder}._shared" in graph}
    return sorted(needy - {package for package, _ in _all_floors(graph, house)})


def back_arrows(graph: networkx.DiGraph, house: House) -> list[Arrow]:
    """List the imports from a room to one that does not stand below it; members stand on one floor."""
    return sorted(
        arrow for package, floors in _all_floors(graph, house) for arrow in _against(graph, package, floors)
    )


def outside_arrows(graph: networkx.DiGraph, house: House, ours: Collection[str]) -> list[Arrow]:
    """List the imports that a folder is not allowed; `ours` are the names at the top of the repository."""
    return sorted(
        (module, other)
        for folder, places in {house.package: (), **house.allowed}.items()
        for module in _own(graph, folder)
        for other in graph.successors(module)
        if other.partition(".")[0] in ours
        if not any(_within(other, place) for place in (folder, *places))
    )


def _all_floors(graph: networkx.DiGraph, house: House) -> Iterator[tuple[str, Floors]]:
    """Yield the package and its rooms with the floors of each."""
    yield house.package, house.floors
    yield from house.inner.items()
    for folder, family in house.members.items():
        declared = {"", *(room for floor in (*family.above, *family.ground) for room in floor)}
        rooms = set(_rooms(graph, folder)) - declared
        members = sorted(room for room in rooms if not _is_folder(graph, f"{folder}.{room}"))
        yield folder, [[""], *family.above, members, *family.ground]


def _within(module: str, place: str) -> bool:
    return module == place or module.startswith(f"{place}.")


def _is_folder(graph: networkx.DiGraph, module: str) -> bool:
    return any(other.startswith(f"{module}.") for other in graph)


def _own(graph: networkx.DiGraph, package: str) -> Iterator[str]:
    return (module for module in graph if _within(module, package))


def _rooms(graph: networkx.DiGraph, package: str) -> Iterator[str]:
    return (_room(module, package) for module in _own(graph, package))


def _room(module: str, package: str) -> str:
    return module.removeprefix(package).lstrip(".").partition(".")[0]


def _against(graph: networkx.DiGraph, package: str, floors: Floors) -> Iterator[Arrow]:
    height = {room: -i for i, floor in enumerate(floors) for room in floor}
    for module in _own(graph, package):
        for other in graph.successors(module):
            if not _within(other, package):
                continue
            here, there = _room(module, package), _room(other, package)
            if here != there and not height.get(there, 0) < height.get(here, 0):
                yield module, other
