"""The page for contributors: examples that compile, with their lines, and members to start from."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
FILES = {text.splitlines()[0][2:]: text for text in re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)}
MEMBERS = {path: text for path, text in FILES.items() if "/" in path}  # others are of the user's own
LINES = re.findall(r"^from (\S+) import (\w+) as \2  # in (\S+)$", PAGE, flags=re.MULTILINE)
FAMILIES = re.findall(r"^\| \[(.+?)\]\(#(.+?)\) \| `(.+?)` \| (.+?) \|", PAGE, flags=re.MULTILINE)


def test_an_example_is_a_new_file_in_a_folder_of_members() -> None:
    assert len(MEMBERS) == 2
    for path in MEMBERS:
        place = ROOT / path
        assert (place.parent / "__init__.py").is_file(), path
        assert not place.exists(), f"the example {path} has become a member: choose another for the page"


def test_a_line_imports_what_its_file_defines() -> None:
    assert len(LINES) == len(MEMBERS)
    for module, name, path in LINES:
        defined = ast.parse(FILES[f"{module.replace('.', '/')}.py"]).body
        assigned = {target.id for one in defined if isinstance(one, ast.Assign) for target in one.targets}
        assert name in assigned | {getattr(one, "name", "") for one in defined}
        assert (ROOT / path).is_file()


def test_every_family_has_a_section_and_a_file_to_start_from() -> None:
    heads = [head.lower().replace(" ", "-") for head in re.findall(r"^## (.+)$", PAGE, flags=re.MULTILINE)]
    assert len(FAMILIES) == 7
    for name, section, place, start in FAMILIES:
        assert section in heads, name
        if start == "the example below":
            assert any(Path(path).parent.is_relative_to(place.split("/FAMILY")[0]) for path in FILES), name
        else:
            assert (ROOT / start.strip("`")).is_file(), name
            folder = place.replace("FAMILY", Path(start.strip("`")).parent.name).rpartition("/")[0]
            assert str(Path(start.strip("`")).parent) == folder, name
