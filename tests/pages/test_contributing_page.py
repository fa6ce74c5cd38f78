"""The recipes for contributors are complete: Python that compiles, in folders of members, with its lines."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
FILES = {text.splitlines()[0][2:]: text for text in re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)}
LINES = re.findall(r"^from (\S+) import (\w+) as \2  # in (\S+)$", PAGE, flags=re.MULTILINE)


def test_a_recipe_is_a_new_file_in_a_folder_of_members() -> None:
    for path, text in FILES.items():
        ast.parse(text)
        place = ROOT / path
        assert (place.parent / "__init__.py").is_file(), path
        assert not place.exists(), f"the example {path} has become a member: choose another for the page"


def test_a_line_imports_what_its_file_defines() -> None:
    for module, name, path in LINES:
        defined = ast.parse(FILES[f"{module.replace('.', '/')}.py"]).body
        names = {getattr(one, "name", "") for one in defined}
        names |= {target.id for one in defined if isinstance(one, ast.Assign) for target in one.targets}
        assert name in names
        assert (ROOT / path).is_file()


def test_every_family_has_its_recipe() -> None:
    sections = re.findall(r"^\| \[.+?\]\(#(.+?)\) \|", PAGE, flags=re.MULTILINE)
    heads = [head.lower().replace(" ", "-") for head in re.findall(r"^## (.+)$", PAGE, flags=re.MULTILINE)]
    assert len(sections) == len(FILES) == 7
    assert set(sections) <= set(heads)
