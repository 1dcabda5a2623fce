"""How Sphinx builds the site: `make docs`."""

import sys
from pathlib import Path

import lawful

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "lawful"
author = "the lawful authors"
project_copyright = "the lawful authors, MIT licence"
release = version = lawful.__version__.split("+")[0]

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "accessible",
    "commands",
    "rooms",
]
exclude_patterns = ["_ext"]
source_suffix = {".md": "markdown"}

html_theme = "furo"
html_title = f"lawful {release}"
html_static_path = ["_static"]
html_css_files = ["lawful.css"]
html_show_sphinx = False
html_copy_source = False

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
pygments_style = "xcode"  # these two have the contrast that axe-core asks for
pygments_dark_style = "github-dark"

autosummary_generate = (
    False  # the directive `room` lists and documents; no pages are written into the sources
)
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
napoleon_google_docstring = False
napoleon_use_ivar = True  # attributes are told in the docstring of their class
napoleon_use_rtype = False
default_role = (
    "door"  # `decode` in a docstring is a link to lawful.decode; what is not at the front door is code
)
suppress_warnings = ["ref.python"]  # two rooms may each have a Round; types then link to the first
add_module_names = False
python_use_unqualified_type_names = True
maximum_signature_line_length = 90
