"""The guide "Compare your own learner" runs from start to end and prints what it shows."""

import re
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

from tests.shown import FILE, Reader, assert_near, blocks_of

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "guides" / "your_learner.md").read_text(encoding="utf-8")
PACKAGE = ROOT / "tests" / "third_party"
BLOCKS = blocks_of(PAGE)


def files() -> dict[str, str]:
    """Return the files that the guide shows, by the names in their first lines."""
    return {found[1]: text[found.end() :] for _, text in BLOCKS if (found := FILE.match(text))}


@pytest.fixture(scope="module")
def followed(tmp_path_factory):
    """Follow the guide in an empty folder; give each block with what it printed, and the folder."""
    folder = tmp_path_factory.mktemp("guide")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.syspath_prepend(folder)
        patch.setenv("MPLBACKEND", "Agg")
        patch.delitem(sys.modules, "kernel_learner", raising=False)
        printed = Reader("your_learner.md").follow(PAGE)
        sys.modules.pop("kernel_learner", None)
    return printed, folder


@pytest.mark.slow
def test_what_is_shown_below_a_block_is_what_it_prints(followed) -> None:
    shown = [(text, said) for language, text, said in followed[0] if language == "text"]
    assert len(shown) >= 7
    for text, said in shown:
        assert_near(text, said)


@pytest.mark.slow
def test_the_best_learner_is_the_one_that_the_guide_names(followed) -> None:
    (said,) = (said for _, text, said in followed[0] if "workbench best" in text)
    best = [line.split()[1:5] for line in said.splitlines() if line.startswith("tan ")]
    assert best[0][:3] == ["20", "tan", "0.987"]
    assert best[1:] == [[n, "tan", ">", "0.999"] for n in ("100", "500", "2000")]
    assert "Here it is TAN, with 0.987 at 20 rows and more than 0.999 from 100 on" in PAGE


@pytest.mark.slow
def test_the_guide_ends_with_its_picture(followed) -> None:
    assert [language for language, _ in BLOCKS][-1] == "python"
    assert "![" in PAGE[PAGE.rindex("```") :]
    drawn = plt.imread(followed[1] / "your_learner.png")
    kept = plt.imread(ROOT / "docs" / "figures" / "your_learner.png")
    assert drawn.shape == kept.shape, "draw it anew: the blocks of the guide make it"
    assert drawn[..., :3].std() > 0.05  # something is on it


def test_the_package_of_the_guide_is_the_one_that_is_installed_in_tests() -> None:
    for name in ("kernel_learner.py", "pyproject.toml"):
        assert files()[name] == (PACKAGE / name).read_text(encoding="utf-8"), name


def test_lines_are_as_short_as_on_other_pages() -> None:
    prose = re.sub(r"^```text\n.*?^```$", "", PAGE, flags=re.DOTALL | re.MULTILINE)
    assert max(map(len, prose.splitlines())) <= 120
