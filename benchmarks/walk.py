"""Follow one comparison through the code: functions called, files, rooms, and moves between rooms.

    python -m benchmarks.walk [CHECKOUT]

`compare(["nb", "tan"], on=(a CSV file, its class), cv=two folds)` runs twice in one process, so that nothing
is compiled or imported when the second run is followed. A room is a folder of a package, or a file in its
root. A move is a call from one room to another. CHECKOUT is another checkout of this project to follow.
"""

import collections
import sys
import tempfile
import warnings
from pathlib import Path
from types import FrameType
from typing import Any

PACKAGES = ("workbench", "learners", "generators")


def room_of(file: str, root: Path) -> str | None:
    """Return the room of a file, or nothing of a file that is not ours."""
    if not file.startswith(f"{root}/"):
        return None
    package, *rest = Path(file).relative_to(root).parts
    return f"{package}.{rest[0].removesuffix('.py')}" if package in PACKAGES and rest else None


class Walk:
    """What a profile function of Python has seen."""

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


def followed(root: Path) -> Walk:
    """Compare two learners on a small CSV file, and return what was called."""
    from sklearn.datasets import load_iris
    from sklearn.model_selection import StratifiedKFold

    from workbench import compare

    walk = Walk(root)
    with tempfile.TemporaryDirectory() as place, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(place, "iris.csv")
        load_iris(as_frame=True).frame.to_csv(path, index=False)
        folds = StratifiedKFold(2, shuffle=True, random_state=0)
        for follow in (False, True):
            sys.setprofile(walk if follow else None)
            results = compare(["nb", "tan"], on=(path, "target"), cv=folds, isolate=False)
            results.table()
            sys.setprofile(None)
    return walk


def main() -> None:
    """Print the counts, and the rooms by how often they are entered."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1]).resolve()
    sys.path.insert(0, str(root))
    walk = followed(root)
    rooms = {room_of(file, root) for file, _ in walk.functions}
    print(f"{len(walk.functions)} functions in {len({file for file, _ in walk.functions})} files", end=" ")
    print(f"of {len(rooms)} rooms, {sum(walk.functions.values())} calls, {sum(walk.moves.values())} moves")
    entered: collections.Counter[str] = collections.Counter()
    for (_, room), n in walk.moves.items():
        entered[room] += n
    for room, n in entered.most_common():
        own = sum(room_of(file, root) == room for file, _ in walk.functions)
        print(f"{room:28} {own:4} functions, entered {n:5} times")


if __name__ == "__main__":
    main()
