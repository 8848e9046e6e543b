"""Templates of what a product is sent: placeholders like `$message`, variables like `${NAME}`.

A placeholder of a JSON template is a whole value, so that what is inserted stays the JSON value
that it is and can never end the text around it. A variable names a secret; it may stand inside a
text. Both are looked for in what the file says, never in what has been inserted.
"""

import difflib
import re
from collections.abc import Iterator, Mapping
from typing import Any

ALONE = re.compile(r"^\$([a-z_]+)$")
INSIDE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$([a-z_]+)")
VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
SECRET_KEY = re.compile(
    r"(authorization|secret|passw(or)?d|api_?key|app_?key|access_?key|cookie|_token$|^token$|-key$)",
    re.IGNORECASE,
)
"""Keys and headers whose value is a secret, whatever it looks like."""
BODY = ("message", "history", "messages", "session", "user", "time", "time_ms", "nonce", "token")
"""What a request may be filled with."""
OPENING = ("session", "user", "time", "time_ms", "nonce", "token")
"""What there is before anything was said."""
Template = Any
"""A JSON value whose texts may be placeholders."""
Facts = Mapping[str, Any]


class Absent:
    """Stands for a value that is not there yet: the key that would hold it is left out."""


ABSENT = Absent()


def texts_in(template: Template, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a template with the key that it stands under."""
    if isinstance(template, str):
        yield key, template
    elif isinstance(template, Mapping):
        for name, value in template.items():
            yield from texts_in(value, str(name))
    elif isinstance(template, list | tuple):
        for value in template:
            yield from texts_in(value, key)


def variables_in(template: Template) -> frozenset[str]:
    """Names of the variables that a template needs."""
    return frozenset(name for _, text in texts_in(template) for name in VARIABLE.findall(text))


def places_in(template: Template, *, inside: bool = False) -> frozenset[str]:
    """Names of the placeholders of a template; `inside`: they may be a part of a text."""
    found = set()
    for _, text in texts_in(template):
        if inside:
            found |= {place for _, place in INSIDE.findall(text) if place}
        elif alone := ALONE.match(text):
            found.add(alone[1])
    return frozenset(found)


def check_places(template: Template, known: tuple[str, ...], *, inside: bool = False) -> None:
    """Raise ValueError for a placeholder that nothing fills, or one that is part of a text."""
    for place in sorted(places_in(template, inside=inside)):
        if place not in known:
            near = difflib.get_close_matches(place, known, n=1, cutoff=0.5)
            listed = ", ".join(f"${name}" for name in near or known)
            raise ValueError(f"nothing fills the placeholder: ${place} (known: {listed})")
    if inside:
        return
    for _, text in texts_in(template):
        part = next((p for _, p in INSIDE.findall(text) if p in known), None)
        if part and not ALONE.match(text):
            raise ValueError(f"a placeholder must be the whole value: ${part}")


def check_secrets(template: Template) -> None:
    """Raise ValueError where a key that holds a secret is given one; never says the value."""
    for key, text in texts_in(template):
        if SECRET_KEY.search(key) and not (VARIABLE.search(text) or "$token" in text):
            raise ValueError(f"a secret does not stand in this file, only its variable: {key}")


def fill(template: Template, facts: Facts, secrets: Mapping[str, str]) -> Any:
    """The JSON value that a template becomes; a key whose value is ABSENT is left out."""
    if isinstance(template, str):
        alone = ALONE.match(template)
        if alone and alone[1] in facts:
            return facts[alone[1]]
        return VARIABLE.sub(lambda found: secrets.get(found[1], ""), template)
    if isinstance(template, Mapping):
        filled = {key: fill(value, facts, secrets) for key, value in template.items()}
        return {key: value for key, value in filled.items() if value is not ABSENT}
    if isinstance(template, list | tuple):
        every = (fill(value, facts, secrets) for value in template)
        return [value for value in every if value is not ABSENT]
    return template


def fill_text(text: str, facts: Facts, secrets: Mapping[str, str]) -> str:
    """A text with its placeholders and variables filled in, in one pass."""

    def value(found: re.Match[str]) -> str:
        if found[1]:
            return secrets.get(found[1], "")
        filled = facts.get(found[2], found[0])
        return "" if filled is ABSENT or filled is None else str(filled)

    return INSIDE.sub(value, text)
