"""Follow a page of the documentation: run its blocks, and compare what they print with what is shown.

A `python` block is executed; an `sh` block is one or more `workbench` commands; a `toml` or `python` block
whose first line names a file (`# study.toml`) is written to that file; a `text` block is what the block above
it prints, where a line of three dots stands for lines that are left out. Passed over are `py` blocks, which
need other machines, and blocks without a language, which hold other commands and listings.
"""

import contextlib
import io
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from typer.testing import CliRunner

from workbench.cli.app import app

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", flags=re.DOTALL | re.MULTILINE)
FILE = re.compile(r"# ([\w./]+\.\w+)\n")
NUMBER = re.compile(r"(?<![A-Za-z_])-?\d+(?:\.\d+)?")
COMMAND = "workbench "
OTHERS = ("java ",)  # programs of others, which are passed over


def blocks_of(text: str) -> list[tuple[str, str]]:
    """Return language and text of each block of a page."""
    return BLOCK.findall(text)


@dataclass
class Reader:
    """Do in the current folder what a page says, block by block."""

    name: str
    scope: dict = field(default_factory=lambda: {"__name__": "page"})

    def follow(self, text: str) -> list[tuple[str, str, str]]:
        """Return each block with its language and what was printed, for a `text` block by the one above."""
        followed, printed = [], ""
        for language, block in blocks_of(text):
            printed = printed if language == "text" else self._printed(language, block)
            followed.append((language, block, printed))
        return followed

    def _printed(self, language: str, block: str) -> str:
        if language in ("python", "toml") and (file := FILE.match(block)):
            Path(file[1]).write_text(block[file.end() :], encoding="utf-8")
        elif language == "sh":
            lines = block.replace("\\\n", " ").splitlines()
            return "".join(self._command(line) for line in lines if not line.startswith(OTHERS))
        elif language == "python":
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec(compile(block, self.name, "exec"), self.scope)
            return printed.getvalue()
        return ""

    @staticmethod
    def _command(line: str) -> str:
        assert line.startswith(COMMAND), f"a block that holds more than commands has no language: {line}"
        done = CliRunner().invoke(app, shlex.split(line.removeprefix(COMMAND), comments=True))
        assert done.exit_code == 0, done.output
        return done.stdout


def assert_shown(shown: str, printed: str) -> None:
    """Compare the lines that are shown with what is printed; dots stand for any lines."""
    parts = re.split(r"^\.\.\.$\n", shown, flags=re.MULTILINE)
    if len(parts) == 1:
        assert printed == shown, "write it anew"
    place = 0
    for part in parts:
        found = printed.find(part, place)
        assert found >= 0, f"not printed:\n{part}\nbut:\n{printed}"
        place = found + len(part)


def assert_near(shown: str, printed: str) -> None:
    """Compare words and numbers, which differ a little between processors.

    Seeds of given truths hang on the last bits of their probabilities, these on the processor's logarithm.
    Other rows move a mean of few truths a little, and an F or a p value far: one number in ten may be far.
    """
    words, words_printed = (NUMBER.sub("#", text).split() for text in (shown, printed))
    shared = set(words) & set(words_printed)
    assert len(shared) >= 0.95 * len({*words, *words_printed}), printed
    if words == words_printed:
        numbers, numbers_printed = ([float(n) for n in NUMBER.findall(text)] for text in (shown, printed))
        near = np.isclose(numbers_printed, numbers, rtol=0.25, atol=0.1)
        assert near.mean() >= 0.9, printed
