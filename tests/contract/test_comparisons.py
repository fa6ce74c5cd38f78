"""Every file of the comparisons is exported by the package."""

import inspect
import pkgutil
from importlib import import_module

from workbench import comparisons

FILES = [
    module.name for module in pkgutil.iter_modules(comparisons.__path__) if not module.name.startswith("_")
]


def test_what_a_file_makes_public_can_be_imported_from_the_room():
    for file in FILES:
        module = import_module(f"workbench.comparisons.{file}")
        public = {name: getattr(module, name) for name in module.__all__}
        kinds = (inspect.isfunction, inspect.isclass)
        own = {name: member for name, member in public.items() if any(kind(member) for kind in kinds)}
        assert own, f"{file}.py makes no comparison public"
        for name, member in own.items():
            assert name in comparisons.__all__, f"import {name} in workbench/comparisons/__init__.py"
            assert getattr(comparisons, name) is member
            assert inspect.getdoc(member)
