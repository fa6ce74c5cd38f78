"""The journal of a benchmark in progress, so that an interrupted one can be resumed."""

import json
import shutil
from pathlib import Path
from typing import IO, Any

from workbench.base.errors import WorkbenchError
from workbench.benchmark.folder.manifest import MANIFEST, README

__all__ = ["HALF_WRITTEN", "JOURNAL", "Journal"]

JOURNAL = "unfinished.jsonl"
#: The folder of the models that are being written.
PART = "unfinished"
HALF_WRITTEN = f"{MANIFEST}.part"


class Journal:
    """A line for the plan and one for each complete model. A context manager that locks the folder."""

    # A folder without a complete model and without other files is started anew; one that holds anything but
    # this benchmark, unfinished, is refused. `entries` has the manifest entries of complete models, by name.

    def __init__(self, folder: Path, head: dict[str, Any], names: tuple[str, ...]) -> None:
        self.folder, self.path, self.head, self.names = folder, folder / JOURNAL, head, names
        self.entries: dict[str, dict[str, Any]] = {}

    def __enter__(self) -> "Journal":
        """Lock the folder, and read what is done."""
        if self.folder.exists() and not self.folder.is_dir():
            raise WorkbenchError(f"{self.folder} is a file: name a folder, --out FOLDER")
        self.folder.mkdir(parents=True, exist_ok=True)
        if not self.path.exists() and any(self.folder.iterdir()):
            raise WorkbenchError(f"{self.folder} has other files: name a new or empty folder, --out FOLDER")
        self._lock = _locked(self.path)
        try:
            self._go_on()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Unlock the folder."""
        if self._lock is not None:
            self._lock.close()

    def part(self, name: str) -> Path:
        """Return an empty folder for a model."""
        part = self.folder / PART / name
        _remove(part)
        part.mkdir(parents=True)
        return part

    def add(self, entry: dict[str, Any]) -> None:
        """Move the folder of a model into place, and record that it is complete."""
        (self.folder / PART / entry["name"]).rename(self.folder / entry["name"])
        self._append(entry)
        self.entries[entry["name"]] = entry

    def close(self) -> None:
        """Remove the journal when all is done."""
        _remove(self.folder / PART)
        self.path.unlink()

    def _go_on(self) -> None:
        head, entries = _lines(self.path)
        if not entries and {path.name for path in self.folder.iterdir()} <= {JOURNAL, PART}:
            _remove(self.folder / PART)
            self.path.write_text("", encoding="utf-8")  # the same file, which is locked
            head = None
        if head is None:
            self._append(self.head)
        elif head["made"] != self.head["made"]:
            raise WorkbenchError(
                f"{self.folder} contains another benchmark, unfinished: name another folder, or remove it"
            )
        elif head["versions"] != self.head["versions"]:
            differ = [
                name
                for name, version in self.head["versions"].items()
                if head["versions"].get(name) != version
            ]
            raise WorkbenchError(
                f"{self.folder} was started with other versions of {', '.join(differ)}: name another folder, "
                "or remove it first"
            )
        self._check_others()
        _remove(self.folder / PART)
        for name in self.names:
            if name in entries and (self.folder / name).is_dir():
                self.entries[name] = entries[name]
            else:
                _remove(self.folder / name)  # moved into place, but not recorded

    def _check_others(self) -> None:
        known = {*self.names, JOURNAL, PART, README, HALF_WRITTEN}
        others = sorted(path.name for path in self.folder.iterdir() if path.name not in known)
        if others:
            raise WorkbenchError(
                f"{self.folder} contains {others[0]!r} next to an unfinished benchmark: remove it first"
            )

    def _append(self, line: dict[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def _lines(path: Path) -> tuple[dict[str, Any] | None, dict[str, dict[str, Any]]]:
    """Read the complete lines, and drop an incomplete last one."""
    text = path.read_text(encoding="utf-8", errors="replace")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, encoding="utf-8")
    try:
        lines = [json.loads(line) for line in whole.splitlines()]
        if not lines:
            return None, {}
        if not {"made", "versions"} <= set(lines[0]):
            raise KeyError("made")
        return lines[0], {line["name"]: line for line in lines[1:]}
    except (KeyError, TypeError, ValueError) as error:
        raise WorkbenchError(f"{path} is damaged: remove its folder, and make the benchmark again") from error


def _locked(path: Path) -> IO[str] | None:
    """Lock a file, which is created if needed."""
    path.touch()
    try:
        import fcntl
    except ImportError:  # Windows
        return None
    file = path.open(encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        raise WorkbenchError(f"another process is writing {path.parent}: wait for it") from error
    return file


def _remove(path: Path) -> None:
    """Remove one of our folders, and never follow a link."""
    if path.is_symlink() or (path.exists() and not path.is_dir()):
        raise WorkbenchError(f"{path} is not a folder of the benchmark: remove it first")
    if path.exists():
        shutil.rmtree(path)
