"""A condition on a JSON reply, as people write it: `$.errcode == 0`."""

import json
import re
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, StringConstraints

WRITTEN = re.compile(r"^(?P<path>\$.*?)\s*(?P<sign>==|!=)\s*(?P<value>[^\])]+)$")
QUOTED = re.compile(r"^'(.*)'$")


@dataclass(frozen=True, slots=True)
class Condition:
    """`path == value` (or, `same` false, !=). Without a value: there is something at the path."""

    path: str
    same: bool = True
    value: Any = None
    compares: bool = False

    def holds(self, found: list[Any]) -> bool:
        """Whether it holds for what was found at the path."""
        if not self.compares:
            return bool(found) and found[0] not in (None, False, "")
        equal = bool(found) and _equal(found[0], self.value)
        return equal is self.same


def parse_condition(text: str) -> Condition:
    """A condition from its text; raises ValueError saying how it is written."""
    text = text.strip()
    if written := WRITTEN.match(text):
        return Condition(
            written["path"], written["sign"] == "==", _literal(written["value"].strip()), True
        )
    if not text.startswith("$") or "=" in text.split("[")[0]:
        raise ValueError("a condition is written like `$.errcode == 0`")
    return Condition(text)


def _literal(text: str) -> Any:
    """A JSON value; a bare or quoted word is a text."""
    if quoted := QUOTED.match(text):
        return quoted[1]
    try:
        return json.loads(text)
    except ValueError:
        return text


def _equal(found: Any, wanted: Any) -> bool:
    # Products write 0 as a number and as a text; true is not 1.
    if isinstance(found, bool) or isinstance(wanted, bool):
        return found is wanted
    return bool(found == wanted or str(found) == str(wanted))


def _is_condition(text: str) -> str:
    parse_condition(text)
    return text


ConditionText = Annotated[str, AfterValidator(_is_condition)]
JsonPath = Annotated[str, StringConstraints(pattern=r"^\$")]
"""Where in a JSON reply something is; its syntax is checked where the file is read."""
