"""How Sphinx builds the site: `make docs`. Nothing is fetched, and every warning is an error."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "extensions"), str(HERE.parent)]

project = "Learner workbench"
author = "the authors of learner-workbench"
copyright = f"2026, {author}"

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "api_pages",
    "command_line",
    "mathml",
    "repository_links",
    "stale_pages",
]
exclude_patterns = ["gallery/**", "scripts/**", "templates/**", "extensions/**"]
templates_path = ["templates"]
nitpicky = True
# Pages read on GitHub as well: headings get the anchors that it gives them.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "dollarmath"]
html_math_renderer = "mathml"
highlight_language = "text"
default_role = "mention"

autosummary_generate = True
autosummary_ignore_module_all = False
# Files that differ in case alone are one file on some systems: generators.Suite and generators.suite.
autosummary_filename_map = {"generators.suite": "generators.suite_function"}
autodoc_typehints = "none"  # numpydoc's sections have the types, in words
autodoc_member_order = "bysource"
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

html_theme = "pydata_sphinx_theme"
html_title = project
html_static_path = ["static"]
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).parent / "static" / "search_order.js")
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "header_links_before_dropdown": 6,
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"index": [], "start": [], "changelog": [], "citation": []}

FIRST = (
    "learners",
    "generators",
    "scoring",
    "calibration",
    "comparing",
    "networks",
)  # sections of the gallery
sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "generated/gallery",
    "backreferences_dir": "generated/backreferences",
    "filename_pattern": r"\.py$",
    "subsection_order": [*(f"gallery/{name}" for name in FIRST), "*"],
    "within_subsection_order": "FileNameSortKey",
    "doc_module": ("generators", "learners", "workbench"),
    "reference_url": {"generators": None, "learners": None, "workbench": None},
    "abort_on_example_error": True,
    "capture_repr": (),  # what an example says it prints
    "image_srcset": ["2x"],
    "min_reported_time": 3600,  # so that the same examples give the same pages
    "write_computation_times": False,
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_signature": False,
    "show_memory": False,
}
