"""Sections of a report are found by folder, and each declares its place, heading and studies."""

import importlib
from pathlib import Path

import pytest

from workbench.designs import FiveByTwo, FreshSamples
from workbench.report import sections
from workbench.report.sections._shared.section import ReportSection

FILES = sorted(path.stem for path in Path(sections.__file__).parent.glob("[!_]*.py"))


def test_a_file_declares_one_section():
    for name in FILES:
        module = importlib.import_module(f"workbench.report.sections.{name}")
        assert isinstance(module.SECTION, ReportSection)
        assert module.SECTION.title
        assert callable(module.SECTION.parts)
        assert module.SECTION in sections.report_sections()
    assert len(sections.report_sections()) == len(FILES)


@pytest.mark.parametrize("design", [FreshSamples(), FiveByTwo()])
def test_sections_of_a_report_have_different_places_and_headings(design):
    class Results:
        pass

    Results.design = design
    own = [one for one in sections.report_sections() if one.applies(Results)]
    assert len({one.order for one in own}) == len({one.title for one in own}) == len(own) > 1
    assert [one.order for one in own] == sorted(one.order for one in own)
