"""Every file of the comparisons is exported by the package."""

import inspect
import pkgutil
from importlib import import_module

import pytest

from workbench import comparisons

FILES = [
    module.name for module in pkgutil.iter_modules(comparisons.__path__) if not module.name.startswith("_")
]


@pytest.mark.parametrize("file", FILES)
def test_what_a_file_makes_public_can_be_imported_from_the_room(file):
    module = import_module(f"workbench.comparisons.{file}")
    public = {name: getattr(module, name) for name in module.__all__}
    own = {name: member for name, member in public.items() if inspect.isfunction(member)}
    own |= {name: member for name, member in public.items() if inspect.isclass(member)}
    assert any(map(inspect.isfunction, own.values())), f"{file}.py makes no comparison public"
    for name, member in own.items():
        assert name in comparisons.__all__, f"add an import of {name} to workbench/comparisons/__init__.py"
        assert getattr(comparisons, name) is member


@pytest.mark.parametrize("name", comparisons.__all__)
def test_what_is_exported_is_documented(name):
    member = getattr(comparisons, name)
    if inspect.isfunction(member) or inspect.isclass(member):
        assert inspect.getdoc(member)
