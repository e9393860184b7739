"""JSON that a machine wrote, read in half the time that `json.loads` takes."""

import json
from collections.abc import Callable
from typing import Any

scan: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder().scan_once  # type: ignore[attr-defined]
"""The value that begins at a place of a text, and where it ends. Blanks are not skipped.

Raises ValueError or StopIteration where there is none.
"""
