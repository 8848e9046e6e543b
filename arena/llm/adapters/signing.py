"""What a request is filled with, and its signature."""

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from arena.domain.placeholders import ABSENT, ALONE, INSIDE, Facts, fill, fill_text
from arena.domain.web import Sending, Sign
from arena.llm.adapters.wire import Outgoing

USUAL_HEADERS = {"Accept": "application/json, text/event-stream", "User-Agent": "arena"}


def prepare(
    sending: Sending, url: str, facts: Facts, secrets: Mapping[str, str], sign: Sign | None = None
) -> Outgoing:
    """The request as it is sent: every place filled, and signed."""
    url = fill_url(url, facts)
    headers = USUAL_HEADERS | _strings(sending.headers, facts, secrets)
    query = _strings(sending.query, facts, secrets)
    body = None if sending.request is None else fill(sending.request, facts, secrets)
    if sign:
        _sign(sign, sending.method, url, headers, query, body, facts, secrets)
    content = None if body is None else write_json(body).encode("utf-8", "replace")
    if content is not None and not any(name.lower() == "content-type" for name in headers):
        headers["Content-Type"] = "application/json"
    return Outgoing(method=sending.method, url=url, headers=headers, query=query, body=content)


def fill_url(url: str, facts: Facts) -> str:
    """A URL with its places filled; what is inserted stays within its part of the path."""

    def value(found: Any) -> str:
        given = facts.get(found[2], found[0]) if found[2] else found[0]
        return "" if given is ABSENT or given is None else quote(str(given), safe="")

    return INSIDE.sub(value, url)


def write_json(value: Any) -> str:
    """The one text of a body: what is signed is what is sent."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def signature(sign: Sign, text: str, secret: str) -> str:
    """HMAC-SHA256 of a text."""
    made = hmac.new(secret.encode(), text.encode("utf-8", "replace"), hashlib.sha256).digest()
    return made.hex() if sign.encoding == "hex" else base64.b64encode(made).decode()


def _sign(
    sign: Sign,
    method: str,
    url: str,
    headers: dict[str, str],
    query: dict[str, str],
    body: Any,
    facts: Facts,
    secrets: Mapping[str, str],
) -> None:
    """Add the signature where it goes: a header, a field, or the query where there is no body."""
    more = {
        "body": "" if body is None else write_json(body),
        "method": method,
        "path": urlsplit(url).path,
    }
    text = fill_text(sign.template, {**facts, **more}, secrets)
    made = signature(sign, text, secrets.get(sign.secret_env, ""))
    if sign.header:
        headers[sign.header] = made
    elif sign.field:
        (query if body is None else body)[sign.field] = made


def _strings(
    template: Mapping[str, str], facts: Facts, secrets: Mapping[str, str]
) -> dict[str, str]:
    """Names and texts of headers or a query; one whose value is not there yet is left out."""
    filled = {}
    for name, text in template.items():
        alone = ALONE.match(text)
        if alone and facts.get(alone[1]) is ABSENT:
            continue
        filled[name] = fill_text(text, facts, secrets)
    return filled
