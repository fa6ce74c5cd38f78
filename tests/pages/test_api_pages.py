"""Every exported name has a page of the API, and every page is of a name that is exported."""

import ast
import re
import runpy
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name

ROOT = Path(__file__).resolve().parents[2]
READER = runpy.run_path(str(ROOT / "docs" / "extensions" / "api_lists.py"))
PAGES = READER["pages_of"](ROOT / "docs")
OWN = {name for page in PAGES.values() for name in page.own}
PACKAGES = ("generators", "learners", "workbench")


def exports_names(init: Path) -> bool:
    """Whether a package has a list of exported names."""
    body = ast.parse(init.read_text(encoding="utf-8")).body
    targets = [target for node in body if isinstance(node, ast.Assign) for target in node.targets]
    return "__all__" in {getattr(target, "id", "") for target in targets}


def public_packages() -> list[str]:
    """Find the packages that export names, by folder."""
    inits = (init for name in PACKAGES for init in sorted((ROOT / name).rglob("__init__.py")))
    names = [".".join(init.parent.relative_to(ROOT).parts) for init in inits if exports_names(init)]
    return [name for name in names if not any(part.startswith("_") for part in name.split("."))]


def test_every_package_that_exports_names_has_a_page() -> None:
    assert sorted(PAGES) == sorted(public_packages())
    index = (ROOT / "docs" / "reference" / "api" / "index.rst").read_text(encoding="utf-8")
    hidden = index.partition(":hidden:")[2].split()
    assert sorted(hidden) == sorted(PAGES)


def test_a_page_lists_what_its_package_exports() -> None:
    missing = []
    for module in public_packages():
        exported, page = import_module(module), PAGES[module]
        assert len(set(page.own)) == len(page.own)
        assert set(page.own) <= {f"{module}.{name}" for name in exported.__all__}
        linked = [resolve_name(":".join(name.rsplit(".", 1))) for name in page.linked]
        names = [name for name in exported.__all__ if f"{module}.{name}" not in page.own]
        missing += [(module, n) for n in names if not any(one is getattr(exported, n) for one in linked)]
    assert missing == [], "no page has them: list them in their modules' .rst"


def test_a_list_without_pages_links_to_names_that_have_one() -> None:
    assert {name for page in PAGES.values() for name in page.linked} <= OWN


def test_lists_are_read() -> None:
    text = (
        "a\n=\n\n.. currentmodule:: a.b\n\n.. autosummary::\n   :toctree: c\n\n   d\n   E\n\n"
        "Also:\n\n.. autosummary::\n\n   ~f.g\n"
    )
    assert READER["listed"](text) == READER["Listed"](("a.b.d", "a.b.E"), ("f.g",))
    assert len(OWN) > 200


def test_a_dotted_name_of_nothing_is_noticed() -> None:
    gone = READER["is_gone"]
    assert gone("workbench.metrics.no_such_metric")
    assert gone("learners.no_such_module.Name")
    assert not any(map(gone, ("workbench.metrics.ir_b", "workbench.learners", "numpy.nothing", "ir_b")))


def test_dotted_names_on_pages_are_names_of_something() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "guides").glob("*.md")]
    texts = {page.name: page.read_text(encoding="utf-8") for page in pages if page.name != "changelog.md"}
    named = {(page, name) for page, text in texts.items() for name in re.findall(r"`([\w.]+)[`(]", text)}
    assert sum(bool(READER["DOTTED"].fullmatch(name)) for _, name in named) > 20
    assert [place for place in sorted(named) if READER["is_gone"](place[1])] == []


#: Sections of names that nobody types: classes of what functions return, warnings, tools of this project.
NOT_TYPED = re.compile(r"Results? .*|Warnings|Errors|Tools of this project")
MOST_TYPED = 250


def typed_names(text: str) -> list[str]:
    """Return the names that a page lists outside such sections."""
    parts = re.split(r"^(\S.*)\n-+\n", text, flags=re.MULTILINE)
    sections = zip(parts[1::2], parts[2::2], strict=True)
    kept = [body for head, body in sections if not NOT_TYPED.fullmatch(head)]
    return list(READER["listed"]("\n".join([parts[0], *kept])).own)


def test_people_type_few_names() -> None:
    folder = ROOT / "docs" / "reference" / "api"
    texts = [(folder / f"{page}.rst").read_text(encoding="utf-8") for page in PAGES]
    typed = [name for text in texts for name in typed_names(text)]
    assert MOST_TYPED - 20 < len(typed) <= MOST_TYPED, len(typed)
    assert "workbench.compare" in typed
    assert "workbench.comparisons.PairedDifferences" not in typed
