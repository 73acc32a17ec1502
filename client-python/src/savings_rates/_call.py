"""
Steps of a call, without input and output: a generator yields what to do next, and receives the result. The blocking and the asynchronous client share it.
"""

from __future__ import annotations

import logging
import time
import uuid
from dataclasses import dataclass
from typing import Any, Generator, Mapping, TypeAlias

from ._answer import Answer, build_answer, build_error
from ._base_error import SavingsRatesError
from ._parameters import build_body, build_path, fill_path
from ._retry import pause_before
from ._settings import MAX_RETRIES, VERSION, CallOptions, Settings, check_max_credits, check_seconds, check_whole
from .cache import CachedResponse
from .errors import NetworkError, RequestTimeoutError
from .transport import Request, Response, TransportError, TransportTimeout


_log = logging.getLogger("savings_rates")


@dataclass(frozen=True)
class Operation:
    """Method, path and price of an operation, in credits per request or per row."""

    method: str
    path: str
    credits: int
    per: str


@dataclass(frozen=True)
class Send:
    request: Request
    timeout: float


@dataclass(frozen=True)
class Sleep:
    seconds: float


#: Yields what to do. Receives the response or the error of a request, and None after a pause.
CallSteps: TypeAlias = "Generator[Send | Sleep, Response | TransportError | None, Answer[Any, Any]]"


@dataclass(frozen=True)
class _Outgoing:
    request: Request
    idempotency_key: str | None
    cache_key: str
    cached: CachedResponse | None


def _find_cached(settings: Settings, key: str) -> CachedResponse | None:
    if settings.cache is None:
        return None
    try:
        return settings.cache.get(key)
    except Exception:
        _log.warning("The cache failed to return a response, so the call is made without it.", exc_info=True)
        return None


def _store(settings: Settings, key: str, response: CachedResponse) -> None:
    """Stores a response. Never raises, because the response has been paid for."""
    if settings.cache is None:
        return
    try:
        settings.cache.set(key, response)
    except Exception:
        _log.warning("The cache failed to store a response.", exc_info=True)


def _outgoing(operation: Operation, given: Mapping[str, Any], settings: Settings, options: CallOptions) -> _Outgoing:
    is_action = operation.method != "GET"
    url = settings.base_url + (fill_path if is_action else build_path)(operation.path, given)
    is_charged = operation.credits > 0
    # With an idempotency key, retries have no further effect and are not charged again.
    key = (options.idempotency_key or str(uuid.uuid4())) if is_charged or is_action else None
    max_credits = check_max_credits(settings.max_credits if options.max_credits is None else options.max_credits)
    cache_key = f"{settings.cache_prefix} {url}"
    cached = None if is_action else _find_cached(settings, cache_key)
    headers = {
        "Authorization": f"Bearer {settings.api_key}",
        "Accept": "application/json",
        "Accept-Encoding": "gzip",
        "User-Agent": f"savings-rates-python/{VERSION}",
    }
    body = build_body(operation.path, given) if is_action else None
    if body is not None:
        headers["Content-Type"] = "application/json"
    if cached is not None:
        headers["If-None-Match"] = cached.etag
    if key is not None:
        headers["Idempotency-Key"] = key
    if is_charged and max_credits is not None:
        headers["X-SVC-Max-Credits"] = str(max_credits)
    return _Outgoing(Request(url, headers, operation.method, body), key, cache_key, cached)


def _read(result: Response | TransportError, call: _Outgoing, settings: Settings) -> Answer[Any, Any] | SavingsRatesError:
    if isinstance(result, TransportTimeout):
        return RequestTimeoutError("timeout", str(result))
    if isinstance(result, TransportError):
        return NetworkError("network_error", str(result))
    if result.status == 304 and call.cached is not None:
        return build_answer(result, call.cached.body, is_unchanged=True)
    if result.status != 200:
        return build_error(result)
    answer = build_answer(result, result.body, is_unchanged=False)
    # A page that a limit on credits has shortened must not be stored as the whole page.
    is_storable = call.request.method == "GET" and "x-svc-limit-reduced" not in result.headers
    if isinstance(answer, Answer) and answer.etag is not None and is_storable:
        _store(settings, call.cache_key, CachedResponse(answer.etag, result.body))
    return answer


def call_steps(operation: Operation, given: Mapping[str, Any], settings: Settings, options: CallOptions | None) -> CallSteps:
    """Makes attempts until one succeeds, or until attempts or time run out. Raises the SavingsRatesError of the last attempt."""
    own = options or CallOptions()
    call = _outgoing(operation, given, settings, own)
    timeout = check_seconds("timeout", settings.timeout if own.timeout is None else own.timeout)
    max_retries = check_whole("max_retries", settings.max_retries if own.max_retries is None else own.max_retries, 0, MAX_RETRIES)
    ends_at = time.monotonic() + check_seconds("deadline", settings.deadline if own.deadline is None else own.deadline)
    attempts = 0
    while True:
        attempts += 1
        result = yield Send(call.request, max(0.001, min(timeout, ends_at - time.monotonic())))
        assert result is not None
        outcome = _read(result, call, settings)
        if isinstance(outcome, Answer):
            return outcome
        outcome.attempts = attempts
        outcome.idempotency_key = call.idempotency_key
        pause = None if attempts > max_retries else pause_before(outcome, attempts)
        # If the pause would exceed the deadline, fails immediately. The error says how long to wait.
        if pause is None or time.monotonic() + pause >= ends_at:
            raise outcome
        yield Sleep(pause)
        # A pause can take longer, for example if the computer sleeps. A later attempt could be charged again.
        if time.monotonic() >= ends_at:
            raise outcome
