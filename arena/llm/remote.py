"""Models reached through LiteLLM: the one file that names it.

LiteLLM gives one signature for a hundred providers, usage and prices; its retries, router, caches
and callbacks are left alone. Scripted agents and product adapters are wrapped in its CustomLLM, so
that everything goes one way.
"""

import os
from collections.abc import Callable, Mapping, MutableMapping
from contextvars import ContextVar
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from arena.domain.agent import Price
from arena.domain.call import Endpoint, Message, Reply, Request
from arena.domain.money import MILLION
from arena.errors import ProviderFault
from arena.llm.causes import causes_of, is_spent, may_be_billed, seconds_to_wait
from arena.llm.provider import Provider
from arena.llm.secrecy import SECRET_NAMES, redact

SETTINGS = {
    # Without these it fetches a price map and tokenizers, and reads .env files above us.
    "LITELLM_OFFLINE_MODE": "true",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_MODE": "PRODUCTION",
}
NO_KEY = "none"
FREE = ("scripted", "replay")
"""Providers that nothing is paid to: they read what is there."""
OPENAI_ACCOUNT = ("OPENAI_ORG_ID", "OPENAI_ORGANIZATION", "OPENAI_PROJECT_ID")
RETRIED = {408, 409, 429, 500, 502, 503, 504, 529}
DENIED = {401, 402, 403}
TOO_MANY = 429
DATES = ("date", "Date", "llm_provider-date")
"""Where a provider tells what time it is."""
SCHEMA_NAME = "answer"


@dataclass(slots=True)
class _Passage:
    """What goes past LiteLLM to one of our providers and back: its signature has no room for it."""

    request: Request
    reply: Reply | None = None


_PASSAGE: ContextVar[_Passage | None] = ContextVar("arena_passage", default=None)


class Remote:
    """A provider for every LiteLLM model string.

    `secrets` maps variable names to values; `custom` maps a prefix of model strings (`scripted`)
    to the provider that plays it; `now`: the time, UTC, ISO 8601. Making one imports LiteLLM, which
    takes seconds.
    """

    def __init__(
        self,
        *,
        secrets: Mapping[str, str],
        custom: Mapping[str, Provider],
        environ: MutableMapping[str, str] = os.environ,
        now: Callable[[], str] | None = None,
    ) -> None:
        self._secrets = secrets
        self._now = now
        self._litellm = _import_litellm(environ)
        self._custom = frozenset(custom)
        self._unsupported: dict[str, tuple[str, ...]] = {}
        self._litellm.custom_provider_map = [
            {"provider": prefix, "custom_handler": _handler(self._litellm, provider)}
            for prefix, provider in custom.items()
        ]

    async def __call__(self, request: Request) -> Reply:
        """One attempt; raises ProviderFault."""
        asked = {*request.sampling, "response_format"}
        if request.response_format == "text":
            asked.discard("response_format")
        dropped = tuple(n for n in self._unsupported.get(request.endpoint.model, ()) if n in asked)
        passage = _Passage(request)
        entered = _PASSAGE.set(passage)
        try:
            response = await self._litellm.acompletion(**self._arguments(request, dropped))
        except self._litellm.UnsupportedParamsError as error:
            more = self._what_to_drop(request)
            if not more or set(more) <= set(dropped):
                raise self._fault(error, request) from None
            known = self._unsupported.get(request.endpoint.model, ())
            self._unsupported[request.endpoint.model] = tuple(dict.fromkeys((*known, *more)))
            return await self(request)
        except Exception as error:  # every exception LiteLLM may raise is mapped
            raise self._fault(error, request) from None
        finally:
            _PASSAGE.reset(entered)
        if passage.reply is not None and passage.request.sitting is not None:
            return replace(passage.reply, params_dropped=dropped)
        return _reply(response, dropped)

    @property
    def version(self) -> str:
        """LiteLLM's version, which its list prices are of."""
        from importlib.metadata import version

        return version("litellm")

    def list_price(self, model: str) -> Price | None:
        """LiteLLM's own price of a model, in USD; None when it knows none."""
        prefix = model.split("/", 1)[0]
        if prefix in self._custom:
            free = prefix in FREE
            return Price(per_call=Decimal(0), currency="USD") if free else None
        known = self._litellm.model_cost.get(model) or self._litellm.model_cost.get(
            model.split("/", 1)[-1] if model.startswith("openai/") else model
        )
        if not known or not known.get("input_cost_per_token"):
            return None
        if known.get("output_cost_per_token") is None:
            return None
        return Price(
            input_per_million=Decimal(str(known["input_cost_per_token"])) * MILLION,
            output_per_million=Decimal(str(known["output_cost_per_token"])) * MILLION,
            currency="USD",
        )

    def missing_variables(self, model: str) -> list[str]:
        """Variables that a provider needs and that are not set (for a model without api_base)."""
        if model.split("/", 1)[0] in self._custom:
            return []
        found = self._litellm.validate_environment(model)
        return [] if found["keys_in_environment"] else [str(k) for k in found["missing_keys"]]

    def needed_variables(self, model: str) -> list[str]:
        """Variables by which a provider is given its key, set or not; empty where none is known."""
        missing = self.missing_variables(model)
        prefix = f"{model.split('/', 1)[0].upper()}_API_KEY"
        return missing or ([prefix] if self._secrets.get(prefix) else [])

    def knows_provider(self, model: str) -> bool:
        """Whether LiteLLM can tell who serves a model string."""
        if model.split("/", 1)[0] in self._custom:
            return True
        try:
            self._litellm.get_llm_provider(model)
        except Exception:  # it raises BadRequestError or its base, by version
            return False
        return True

    def address(self, model: str) -> str | None:
        """The URL that a model is asked at; None where LiteLLM does not tell it beforehand."""
        try:
            found = self._litellm.get_llm_provider(model)
        except Exception:  # it raises BadRequestError or its base, by version
            return None
        return str(found[3]) if found[3] else None

    def _arguments(self, request: Request, dropped: tuple[str, ...]) -> dict[str, Any]:
        endpoint = request.endpoint
        arguments: dict[str, Any] = {
            "model": endpoint.model,
            "messages": [{"role": m.role, "content": m.text} for m in request.messages],
            "timeout": endpoint.timeout,
            "num_retries": 0,
            "max_retries": 0,
            **request.sampling,
        }
        if request.response_format == "json_object":
            arguments["response_format"] = {"type": "json_object"}
        elif request.response_format == "json_schema" and request.schema is not None:
            arguments["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": SCHEMA_NAME, "strict": True, "schema": request.schema},
            }
        for name in dropped:
            arguments.pop(name, None)
        if endpoint.api_base:
            arguments["api_base"] = endpoint.api_base
        elif organisation := self._secrets.get("OPENAI_ORG_ID"):
            arguments |= {"organization": organisation} if _is_openai(endpoint.model) else {}
        if endpoint.api_key_env:
            arguments["api_key"] = self._secrets.get(endpoint.api_key_env) or NO_KEY
        elif endpoint.api_base:
            # Without this the key of another provider, found in the environment, would be sent.
            arguments["api_key"] = NO_KEY
        return arguments

    def _what_to_drop(self, request: Request) -> tuple[str, ...]:
        known = set(self._litellm.get_supported_openai_params(request.endpoint.model) or ())
        names = [*request.sampling]
        if request.response_format != "text":
            names.append("response_format")
        return tuple(n for n in names if n not in known)

    def _fault(self, error: Exception, request: Request) -> ProviderFault:
        causes = list(causes_of(error))
        for cause in causes:
            if isinstance(cause, ProviderFault):
                return cause
        keys = {v for n, v in self._secrets.items() if SECRET_NAMES.search(n)}
        keys.add(self._secrets.get(request.endpoint.api_key_env or "", ""))
        message = redact(f"{type(error).__name__}: {error}", sorted(keys, key=len, reverse=True))
        status = getattr(error, "status_code", None)
        status = status if isinstance(status, int) else None
        kind = _kind_of(self._litellm, error, status)
        if kind == "retry" and status == TOO_MANY and is_spent(causes):
            kind = "denied"
        return ProviderFault(
            kind,
            message,
            status=status,
            retry_after=_retry_after(error, self._now() if self._now else None),
            billed=kind == "retry" and may_be_billed(causes, status),
        )


def host_of(model: str, api_base: str | None) -> str:
    """The host that a call goes to, or the provider's name where LiteLLM chooses the host."""
    if api_base:
        return urlsplit(api_base).netloc
    return model.split("/", 1)[0]


def _is_openai(model: str) -> bool:
    return model.startswith(("openai/", "gpt-", "o1", "o3", "o4"))


def _import_litellm(environ: MutableMapping[str, str]) -> Any:
    for name, value in SETTINGS.items():
        environ.setdefault(name, value)
    for name in OPENAI_ACCOUNT:
        # OpenAI's client sends these to whatever host it talks to; they are passed where they
        # belong instead.
        environ.pop(name, None)
    _keep_loopback_off_proxies(environ)
    import litellm  # takes seconds: only commands that call models come here

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.drop_params = False
    return litellm


def _keep_loopback_off_proxies(environ: MutableMapping[str, str]) -> None:
    if not any(environ.get(n) for n in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy")):
        return
    hosts = [h for h in environ.get("NO_PROXY", environ.get("no_proxy", "")).split(",") if h]
    for host in ("127.0.0.1", "localhost"):
        if host not in hosts:
            hosts.append(host)
    environ["NO_PROXY"] = environ["no_proxy"] = ",".join(hosts)


def _kind_of(litellm: Any, error: Exception, status: int | None) -> Any:
    if isinstance(error, litellm.ContentPolicyViolationError):
        return "blocked"
    if isinstance(error, (litellm.AuthenticationError, litellm.PermissionDeniedError)):
        return "denied"
    if "Missing credentials" in str(error) or "api_key client option must be set" in str(error):
        return "denied"  # LiteLLM reports a missing key as a server error
    if status in DENIED:
        return "denied"
    if isinstance(error, litellm.BadRequestError):
        said = f"{error} {getattr(error, 'code', '')} {getattr(error, 'body', '')}"
        return "blocked" if _is_policy(said) else "rejected"
    if isinstance(error, (litellm.Timeout, litellm.APIConnectionError)) or status in RETRIED:
        return "retry"
    return "retry" if status is None or status >= 500 else "rejected"


def _is_policy(text: str) -> bool:
    return any(
        sign in text.lower() for sign in ("content_filter", "content_policy", "risk control")
    )


def _retry_after(error: Exception, now: str | None) -> float | None:
    """Seconds that the provider asks us to wait, from seconds or from an HTTP date."""
    headers = getattr(error, "litellm_response_headers", None)
    if not headers:
        headers = getattr(getattr(error, "response", None), "headers", None) or {}
    for name in ("retry-after", "Retry-After", "llm_provider-retry-after"):
        value = headers.get(name)
        if value is None:
            continue
        told = next((headers[n] for n in DATES if headers.get(n)), None)
        return seconds_to_wait(value, told, now)
    return None


def _reply(response: Any, dropped: tuple[str, ...]) -> Reply:
    choices = getattr(response, "choices", None) or []
    message = choices[0].message if choices else None
    usage = getattr(response, "usage", None)
    tokens = (
        getattr(usage, "prompt_tokens", None),
        getattr(usage, "completion_tokens", None),
    )
    if not any(tokens):
        tokens = (None, None)  # a provider that does not say is reported as nought and nought
    return Reply(
        text=getattr(message, "content", None),
        thinking=getattr(message, "reasoning_content", None),
        finish_reason=choices[0].finish_reason if choices else "no_choices",
        model_returned=getattr(response, "model", None),
        tokens_in=tokens[0],
        tokens_out=tokens[1],
        params_dropped=dropped,
    )


def _handler(litellm: Any, provider: Provider) -> Any:
    """LiteLLM's CustomLLM around one of our providers."""

    class Handler(litellm.CustomLLM):  # type: ignore[misc]
        async def acompletion(self, *args: Any, **kwargs: Any) -> Any:
            model, messages = kwargs["model"], kwargs["messages"]
            optional = dict(kwargs.get("optional_params") or {})
            asked = optional.pop("response_format", None) or {}
            request = Request(
                endpoint=Endpoint(id=model, model=model),
                messages=tuple(Message(m["role"], m["content"]) for m in messages),
                sampling=optional,
                response_format=asked.get("type", "text"),
                schema=(asked.get("json_schema") or {}).get("schema"),
            )
            passage = _PASSAGE.get()
            if passage is not None and passage.request.sitting is not None:
                whole = passage.request
                request = replace(request, endpoint=whole.endpoint, sitting=whole.sitting)
            reply = await provider(request)
            if passage is not None:
                passage.reply = reply
            response = kwargs["model_response"]
            response.model = reply.model_returned or model
            response.choices[0].message.content = reply.text
            response.choices[0].finish_reason = reply.finish_reason or "stop"
            response.usage = litellm.Usage(
                prompt_tokens=reply.tokens_in or 0,
                completion_tokens=reply.tokens_out or 0,
                total_tokens=(reply.tokens_in or 0) + (reply.tokens_out or 0),
            )
            return response

    return Handler()
