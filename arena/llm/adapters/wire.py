"""One exchange over HTTP: sent as it is given, read up to a limit, never led elsewhere.

Certificates are checked. Proxies of the environment are used, but never for loopback; no .netrc
is read. Cookies belong to one dialogue and are given with each exchange.
"""

import ipaddress
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit
from urllib.request import getproxies, proxy_bypass

from arena.errors import ProviderFault
from arena.llm.adapters.blame import Blame
from arena.llm.causes import seconds_to_wait

if TYPE_CHECKING:
    import httpx

REDIRECTS = (301, 302, 303, 307, 308)
MOST_REDIRECTS = 3
Sink = Callable[[bytes], bool]
"""Takes what has come; true when nothing more is needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """A request as it is sent."""

    method: str
    url: str
    headers: Mapping[str, str]
    query: Mapping[str, str]
    body: bytes | None


@dataclass(slots=True, kw_only=True)
class Incoming:
    """An answer; the body is empty where a sink took it."""

    status: int
    content_type: str
    retry_after: float | None
    """Seconds that the product asks us to wait."""
    location: str | None
    body: bytes = b""

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8-sig", "replace")


@dataclass(slots=True)
class Wire:
    """The way to one product for one dialogue: `cookies` are those of the dialogue."""

    blame: Blame
    timeout: float
    max_bytes: int
    cookies: dict[str, str] = field(default_factory=dict)

    async def send(self, outgoing: Outgoing, sink: Sink | None = None) -> Incoming:
        """Send, follow redirects within the host, and read; raises ProviderFault.

        A success that is an event stream goes to `sink` as it comes.
        """
        for _ in range(MOST_REDIRECTS + 1):
            incoming = await self._exchange(outgoing, sink)
            if incoming.status not in REDIRECTS:
                return incoming
            outgoing = self._follow(outgoing, incoming)
        raise self.blame.fault("rejected", "redirects in a circle; check `url`")

    async def _exchange(self, outgoing: Outgoing, sink: Sink | None) -> Incoming:
        import httpx  # takes a moment: only products come here

        try:
            async with self._client(outgoing.url) as client:
                request = client.build_request(
                    outgoing.method,
                    outgoing.url,
                    headers=dict(outgoing.headers),
                    params=dict(outgoing.query) or None,
                    content=outgoing.body,
                )
                response = await client.send(request, stream=True)
                try:
                    incoming = await self._read(response, sink)
                finally:
                    await response.aclose()
                self.cookies |= {c.name: c.value or "" for c in client.cookies.jar}
                return incoming
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            raise self._fault(error) from None

    async def _read(self, response: "httpx.Response", sink: Sink | None) -> Incoming:
        incoming = Incoming(
            status=response.status_code,
            content_type=response.headers.get("content-type", "").lower(),
            retry_after=_wait(response),
            location=response.headers.get("location"),
        )
        streams = sink is not None and "event-stream" in incoming.content_type
        gathered, size = bytearray(), 0
        async for chunk in response.aiter_bytes():
            size += len(chunk)
            if size > self.max_bytes:
                said = f"an answer of more than {self.max_bytes} bytes (`max_bytes`)"
                raise self.blame.fault("rejected", said, uncertain=True)
            if streams and sink is not None and response.is_success:
                if sink(chunk):
                    break
            else:
                gathered += chunk
        incoming.body = bytes(gathered)
        return incoming

    def _client(self, url: str) -> "httpx.AsyncClient":
        import httpx

        return httpx.AsyncClient(
            verify=_tls(),
            proxy=proxy_for(url),
            trust_env=False,
            follow_redirects=False,
            timeout=self.timeout,
            cookies=dict(self.cookies),
        )

    def _follow(self, outgoing: Outgoing, incoming: Incoming) -> Outgoing:
        target = urljoin(outgoing.url, incoming.location or "")
        here, there = urlsplit(outgoing.url), urlsplit(target)
        if (here.scheme, here.netloc) != (there.scheme, there.netloc):
            said = f"redirects to another host ({there.netloc or 'unknown'}); check `url`"
            raise self.blame.fault("rejected", said)
        if incoming.status not in (307, 308) and outgoing.method != "GET":
            raise self.blame.fault("rejected", f"redirects to {there.path or '/'}; check `url`")
        query = {} if there.query else outgoing.query
        return Outgoing(
            method=outgoing.method,
            url=target,
            headers=outgoing.headers,
            query=query,
            body=outgoing.body,
        )

    def _fault(self, error: Exception) -> ProviderFault:
        import httpx

        if isinstance(error, UnicodeError):
            return self.blame.fault("rejected", "a value of `headers` is not plain ASCII text")
        if isinstance(error, httpx.TimeoutException) and not isinstance(
            error, httpx.ConnectTimeout | httpx.PoolTimeout
        ):
            return self.blame.lost(f"no answer within {self.timeout:g} s (`limits: timeout`)")
        if "CERTIFICATE_VERIFY" in str(error):
            return self.blame.fault("rejected", "its certificate is not valid; check `url`")
        if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.ProxyError):
            return self.blame.fault("retry", f"cannot be reached ({_reason(error)}); check `url`")
        if isinstance(error, httpx.NetworkError | httpx.RemoteProtocolError):
            return self.blame.lost("the connection broke off before the answer was whole")
        return self.blame.fault("rejected", f"cannot be asked: {_reason(error)}")


def proxy_for(url: str) -> str | None:
    """The proxy of the environment for a URL; never one for loopback."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if is_loopback(host) or proxy_bypass(host):
        return None
    proxies = getproxies()
    found = proxies.get(parts.scheme) or proxies.get("all")
    return found if not found or "://" in found else f"http://{found}"


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


_TLS: list[ssl.SSLContext] = []


def _tls() -> ssl.SSLContext:
    """One context for all exchanges: making one reads every certificate of the machine."""
    import httpx

    if not _TLS:
        _TLS.append(httpx.create_ssl_context(verify=True, trust_env=True))
    return _TLS[0]


def _reason(error: Any) -> str:
    return " ".join(str(error).split())[:120] or type(error).__name__


def _wait(response: "httpx.Response") -> float | None:
    said = response.headers.get("retry-after")
    return None if said is None else seconds_to_wait(said, response.headers.get("date"), None)
