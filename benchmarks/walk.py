"""Follow one comparison through the code: functions, files, rooms, moves between rooms, forms of the data.

    python -m benchmarks.walk [CHECKOUT]

`compare(["nb", "tan"], on=(a CSV file, its class), cv=two folds)` runs in a process in which it ran before,
so that nothing is compiled or imported while it is followed. A room is a folder of a package, or a file in
its root. A move is a call from one room to another. A form of a row is a kind of object, by its type, its
dtypes and the place of the rows among its axes, that a function returns or yields until the first forecast.
A form of a score is a kind of object that holds the score of one cell, on its way from the metric to the
answer and the page of a report. CHECKOUT is another checkout of this project to follow.
"""

import collections
import dataclasses
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pandas as pd

PACKAGES = ("workbench", "learners", "generators")
#: Rows of the table, of which half are learned from.
ROWS = 194
PARTS = (ROWS, ROWS // 2)
#: Functions at which a row ends its walk, as an answer begins.
FORECASTS = {"predict_proba", "_forecast"}


def room_of(file: str, root: Path) -> str | None:
    """Return the room of a file, or nothing of a file that is not ours."""
    if not file.startswith(f"{root}/"):
        return None
    package, *rest = Path(file).relative_to(root).parts
    return f"{package}.{rest[0].removesuffix('.py')}" if package in PACKAGES and rest else None


class Walk:
    """What a profile function of Python has seen of the calls."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.functions: collections.Counter[tuple[str, str]] = collections.Counter()
        self.moves: collections.Counter[tuple[str, str]] = collections.Counter()

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Count a call."""
        if event != "call":
            return
        code = frame.f_code
        room = room_of(code.co_filename, self.root)
        if room is None:
            return
        self.functions[code.co_filename, code.co_qualname] += 1
        caller = frame.f_back
        while caller is not None and room_of(caller.f_code.co_filename, self.root) is None:
            caller = caller.f_back
        source = None if caller is None else room_of(caller.f_code.co_filename, self.root)
        if source is not None and source != room:
            self.moves[source, room] += 1


class Forms:
    """What a profile function of Python has seen of the forms of rows, and of one score."""

    def __init__(self, root: Path, score: float) -> None:
        self.root, self.score = root, score
        self.rows: dict[str, str] = {}
        self.scores: dict[str, str] = {}
        self.forecast = False

    def __call__(self, frame: FrameType, event: str, value: Any) -> None:
        """Note the form of what a function returns or yields, and where it was met first."""
        code = frame.f_code
        if event == "call":
            self.forecast |= code.co_name in FORECASTS
        if event != "return" or value is None or room_of(code.co_filename, self.root) is None:
            return
        place = f"{Path(code.co_filename).relative_to(self.root)}:{code.co_qualname}"
        form = None if self.forecast else form_of_rows(value)
        if form is not None:
            self.rows.setdefault(form, place)
        if self.forecast and holds(value, self.score):
            self.scores.setdefault(kind_of(value, self.score), place)


def form_of_rows(value: Any) -> str | None:
    """Return the form of an object that holds all rows, or those to learn from; None of any other."""
    if isinstance(value, str):
        return "text" if value.count("\n") >= ROWS else None
    if isinstance(value, np.ndarray):
        axes = [axis for axis, n in enumerate(value.shape) if n in PARTS]
        return f"ndarray {value.ndim}d by axis {axes[0]}, {value.dtype}" if axes else None
    if isinstance(value, pd.DataFrame):
        kinds = sorted({str(dtype).partition("[")[0] for dtype in value.dtypes})
        return f"DataFrame of {', '.join(kinds)}" if len(value) in PARTS else None
    if isinstance(value, pd.Series | pd.Index | pd.Categorical):
        return f"{type(value).__name__} of {value.dtype.name}" if len(value) in PARTS else None
    if type(value) in (list, tuple) and len(value) in PARTS:
        return f"{type(value).__name__} of {type(value[0]).__name__}"
    return type(value).__name__ if any(form_of_rows(own) for own in fields_of(value)) else None


def fields_of(value: Any) -> list[Any]:
    """Return what a record of ours holds; nothing of other objects."""
    if type(value) is tuple:
        return list(value)
    if not type(value).__module__.startswith(PACKAGES):
        return []
    if isinstance(value, tuple):
        return list(value)
    names = [one.name for one in dataclasses.fields(value)] if dataclasses.is_dataclass(value) else []
    return [getattr(value, name, None) for name in names]


def holds(value: Any, score: float, depth: int = 3) -> bool:
    """Return whether an object holds a score, as a number or in a text."""
    if isinstance(value, float):
        return value == score
    if isinstance(value, str):
        return f"{score:.3g}" in value
    if isinstance(value, np.ndarray):
        return value.dtype.kind == "f" and bool((value == score).any())
    if isinstance(value, pd.DataFrame | pd.Series):
        return any(own == score for own in value.to_numpy(dtype=object).ravel() if isinstance(own, float))
    if isinstance(value, Mapping):
        return depth > 0 and any(holds(own, score, depth - 1) for own in value.values())
    if isinstance(value, list | tuple):
        return depth > 0 and any(holds(own, score, depth - 1) for own in value)
    return depth > 0 and any(holds(own, score, depth - 1) for own in fields_of(value))


def kind_of(value: Any, score: float) -> str:
    """Name the kind of an object that holds a score; a list or dictionary is its first member that does."""
    if type(value) in (list, tuple, dict):
        members = value.values() if isinstance(value, dict) else value
        return next((kind_of(own, score) for own in members if holds(own, score)), type(value).__name__)
    if isinstance(value, np.ndarray):
        return f"ndarray {value.ndim}d"
    if isinstance(value, pd.DataFrame):
        return f"DataFrame of {', '.join(map(str, [*value.columns][:4]))}, {len(value.columns)} columns"
    return type(value).__name__


def table_of(folder: Path) -> Path:
    """Write a table of numbers and words with missing cells."""
    from sklearn.datasets import load_iris

    frame = load_iris(as_frame=True).frame
    frame = pd.concat([frame, frame[: ROWS - len(frame)]], ignore_index=True)
    frame["place"] = np.where(frame.index % 3 == 0, "north", "south")
    frame.loc[frame.index % 7 == 0, ["place", "petal width (cm)"]] = np.nan
    path = folder / "flowers.csv"
    frame.to_csv(path, index=False)
    return path


def followed(root: Path) -> tuple[Walk, Forms]:
    """Compare two learners on a small CSV file, and return what was called and held."""
    from sklearn.model_selection import StratifiedKFold

    from workbench import compare

    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = table_of(Path(folder))
        folds = StratifiedKFold(2, shuffle=True, random_state=0)

        def once(follow: Callable[..., None] | None, place: Path = path, *, whole: bool = False) -> Any:
            sys.setprofile(follow)
            try:
                results = compare(["nb", "tan"], on=(place, "target"), cv=folds, isolate=False)
                results.table()
                if whole:
                    results.answer()
                    results.report(Path(folder, "page.html"))
            finally:
                sys.setprofile(None)
            return results

        frame = once(None, whole=True).frame()
        walk, forms = Walk(root), Forms(root, float(frame["value"].iloc[0]))
        once(walk)
        copy = shutil.copy(path, Path(folder, "copy.csv"))  # the first one is remembered
        once(forms, Path(copy), whole=True)
    return walk, forms


def main() -> None:
    """Print the counts, the rooms by how often they are entered, and the forms in the order of the walk."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1]).resolve()
    sys.path.insert(0, str(root))
    walk, forms = followed(root)
    rooms = {room_of(file, root) for file, _ in walk.functions}
    print(f"{len(walk.functions)} functions in {len({file for file, _ in walk.functions})} files", end=" ")
    print(f"of {len(rooms)} rooms, {sum(walk.functions.values())} calls, {sum(walk.moves.values())} moves")
    print(f"{len(forms.rows)} forms of a row, {len(forms.scores)} forms of a score")
    entered: collections.Counter[str] = collections.Counter()
    for (_, room), n in walk.moves.items():
        entered[room] += n
    for room, n in entered.most_common():
        own = sum(room_of(file, root) == room for file, _ in walk.functions)
        print(f"{room:28} {own:4} functions, entered {n:5} times")
    for what, found in (("row", forms.rows), ("score", forms.scores)):
        for i, (form, place) in enumerate(found.items(), 1):
            print(f"{what} {i:2}  {form:60} {place}")


if __name__ == "__main__":
    main()
