"""Reading an answer: JSON, the test of its success, and what stands at a path."""

import json
from typing import Any

from arena.domain.condition import parse_condition
from arena.domain.web import Http, Token
from arena.errors import ProviderFault
from arena.llm.adapters.blame import Blame, is_html, message_in
from arena.llm.adapters.wire import Incoming
from arena.suites.paths import find, holds

SUCCESS = range(200, 300)


class ExpiredToken(Exception):
    """The product does not take the token any more; carries the fault that it comes to."""

    def __init__(self, fault: ProviderFault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def read_json(incoming: Incoming, blame: Blame, key: str) -> Any:
    """The JSON of a success; raises ProviderFault. `key`: what of the file is to be checked."""
    if incoming.status not in SUCCESS:
        raise blame.of_status(incoming.status, incoming.text, incoming.retry_after)
    text = incoming.text
    if is_html(text, incoming.content_type):
        raise blame.fault("rejected", f"an HTML page instead of JSON; check `{key}`")
    if not text.strip():
        raise blame.fault("rejected", f"an empty answer instead of JSON; check `{key}`")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        said = f"an answer that is not JSON ({' '.join(text.split())[:60]}); check `{key}`"
        raise blame.fault("rejected", said) from None


def check_ok(http: Http, value: Any, blame: Blame, *, strict: bool = True) -> None:
    """Raise ProviderFault, or ExpiredToken, where the product reports an error in a success.

    `strict` false: a condition about what is not there says nothing (events, polls).
    """
    for text in http.ok:
        path = parse_condition(text).path
        found = find(path, value)
        if holds(text, value) or not (strict or found):
            continue
        codes = find(http.code, value) if http.code else found
        code = str(codes[0]) if codes else "none"
        said = message_in(value)
        fault = blame.fault(
            "retry" if code in map(str, http.retry_codes) else "rejected",
            f"error {code[:40]} (`ok: {text}`){': ' + said if said else ''}",
        )
        if http.token and code in map(str, http.token.expired_codes):
            raise ExpiredToken(fault)
        raise fault


def check_token(token: Token, value: Any, blame: Blame) -> None:
    """Raise ProviderFault where asking for a token did not succeed."""
    for text in token.ok:
        if not holds(text, value):
            said = message_in(value)
            raise blame.fault(
                "denied", f"no token (`token: ok: {text}`){': ' + said if said else ''}"
            )
