"""Sending of single requests. Replace the transport to use another HTTP library."""

from __future__ import annotations

import asyncio
import http.client
import socket
import ssl
import threading
import time
import urllib.request
import weakref
import zlib
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Mapping, Protocol
from urllib.parse import unquote, urlsplit

#: Longest response body. The largest responses of the API have a few megabytes.
MAX_BODY_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class Request:
    url: str
    #: Not in the representation, because they include the API key.
    headers: Mapping[str, str] = field(repr=False)
    method: str = "GET"
    #: JSON body of a call that changes something; None for all other calls. It can contain secrets.
    body: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Response:
    status: int
    #: Headers by lower-case name.
    headers: Mapping[str, str]
    body: bytes


class TransportError(Exception):
    """The service could not be reached, or the connection was lost."""


class TransportTimeout(TransportError):
    """There was no complete response in time."""


class Transport(Protocol):
    def send(self, request: Request, timeout: float) -> Response:
        """Sends a request without following redirects. Raises TransportTimeout or TransportError."""
        ...

    def close(self) -> None: ...


class AsyncTransport(Protocol):
    async def send(self, request: Request, timeout: float) -> Response:
        """Sends a request without following redirects. Raises TransportTimeout or TransportError."""
        ...

    async def close(self) -> None: ...


class HttpTransport:
    """Sends requests with the standard library. Each thread keeps one connection open. Uses the proxies of the environment."""

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self._context = context
        self._local = threading.local()
        self._lock = threading.Lock()
        # Connections of ended threads disappear from it.
        self._open: weakref.WeakSet[http.client.HTTPConnection] = weakref.WeakSet()

    def send(self, request: Request, timeout: float) -> Response:
        ends_at = time.monotonic() + timeout
        connection, is_reused = self._connection(request.url, timeout)
        try:
            try:
                return self._exchange(connection, request, ends_at)
            except (http.client.BadStatusLine, ConnectionError, BrokenPipeError):
                # The server closes idle connections. Calls are safe to repeat: those that cost credits or change something have an idempotency key.
                if not is_reused:
                    raise
            self._drop()
            connection, _ = self._connection(request.url, ends_at - time.monotonic())
            return self._exchange(connection, request, ends_at)
        except TimeoutError as error:
            self._drop()
            raise TransportTimeout(f"No response within {timeout:g} s.") from error
        except (OSError, http.client.HTTPException, zlib.error) as error:
            self._drop()
            raise TransportError("The service could not be reached, or the connection was lost. Check the network and base_url.") from error
        except BaseException:
            self._drop()
            raise

    def close(self) -> None:
        """Closes the connections of all threads."""
        with self._lock:
            for connection in list(self._open):
                connection.close()

    def _connection(self, url: str, timeout: float) -> tuple[http.client.HTTPConnection, bool]:
        parts = urlsplit(url)
        origin = (parts.scheme, parts.netloc)
        if getattr(self._local, "origin", None) == origin and self._local.connection.sock is not None:
            return self._local.connection, True
        self._drop()
        connection = self._connect(parts.scheme, parts.hostname or "", parts.port, timeout)
        self._local.origin, self._local.connection = origin, connection
        with self._lock:
            self._open.add(connection)
        return connection, False

    def _connect(self, scheme: str, host: str, port: int | None, timeout: float) -> http.client.HTTPConnection:
        timeout = max(timeout, 0.001)
        name = f"{host}:{port}" if port else host
        proxy = None if urllib.request.proxy_bypass(name) else urllib.request.getproxies().get(scheme)
        if scheme != "https":
            # Plain HTTP is for local development; a proxy for it would need the whole URL in the request line.
            return http.client.HTTPConnection(host, port, timeout=timeout)
        context = self._context or ssl.create_default_context()
        if proxy is None:
            return http.client.HTTPSConnection(host, port, timeout=timeout, context=context)
        via = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        if via.scheme != "http":
            raise TransportError(f"Proxies with {via.scheme}:// are not supported. Set HTTPS_PROXY to an http:// URL, or pass a transport.")
        # TLS runs through the tunnel, to the service.
        connection = http.client.HTTPSConnection(via.hostname or "", via.port or 80, timeout=timeout, context=context)
        login = f"{unquote(via.username or '')}:{unquote(via.password or '')}".encode()
        headers = {"Proxy-Authorization": f"Basic {b64encode(login).decode()}"} if via.username else {}
        connection.set_tunnel(host, port, headers)
        return connection

    def _exchange(self, connection: http.client.HTTPConnection, request: Request, ends_at: float) -> Response:
        parts = urlsplit(request.url)
        _limit(connection.sock, ends_at)
        target = f"{parts.path}?{parts.query}" if parts.query else parts.path
        connection.request(request.method, target, body=request.body, headers=dict(request.headers))
        _limit(connection.sock, ends_at)
        answer = connection.getresponse()
        chunks: list[bytes] = []
        size = 0
        # Reads in parts, because the timeout of a socket restarts with every byte.
        while chunk := answer.read1(65_536):
            size += len(chunk)
            if size > MAX_BODY_BYTES:
                raise http.client.HTTPException("The response is too large.")
            chunks.append(chunk)
            _limit(connection.sock, ends_at)
        if answer.length:
            raise http.client.IncompleteRead(b"", answer.length)
        # Python before 3.11.8 and 3.12.2 leaves the response open after read1, and the connection couldn't be used again.
        answer.close()
        headers = {name.lower(): value for name, value in answer.getheaders()}
        return Response(answer.status, headers, _unpack(b"".join(chunks), headers.get("content-encoding")))

    def _drop(self) -> None:
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()
            with self._lock:
                self._open.discard(connection)
        self._local.origin = self._local.connection = None


def _limit(sock: socket.socket | None, ends_at: float) -> None:
    """Sets the time that is left as the timeout of a socket. The socket is None before the connection is opened, or after it was closed."""
    left = ends_at - time.monotonic()
    if left <= 0:
        raise TimeoutError
    if sock is not None:
        sock.settimeout(left)


def _unpack(body: bytes, encoding: str | None) -> bytes:
    if encoding is None or encoding == "identity":
        return body
    if encoding != "gzip":
        raise http.client.HTTPException(f"Unexpected content encoding {encoding}.")
    reader = zlib.decompressobj(wbits=31)
    unpacked = reader.decompress(body, MAX_BODY_BYTES)
    if not reader.eof:
        raise http.client.HTTPException("The response is incomplete or too large.")
    return unpacked


class ThreadTransport:
    """
    Runs a blocking transport in threads, for asyncio. The number of threads is the maximum number of simultaneous requests. If a call is cancelled, its
    request continues in the background until it ends.
    """

    def __init__(self, transport: Transport | None = None, *, max_workers: int = 8) -> None:
        self._transport = transport or HttpTransport()
        self._threads = ThreadPoolExecutor(max_workers, thread_name_prefix="savings-rates")

    async def send(self, request: Request, timeout: float) -> Response:
        ends_at = time.monotonic() + timeout

        def send_in_time() -> Response:
            # The wait for a thread counts: a request must not be sent after the time limit of its call.
            left = ends_at - time.monotonic()
            if left <= 0:
                raise TransportTimeout(f"No thread was free within {timeout:g} s. Make fewer calls at once, or raise max_workers.")
            return self._transport.send(request, left)

        return await asyncio.get_running_loop().run_in_executor(self._threads, send_in_time)

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(None, self._threads.shutdown)
        self._transport.close()
