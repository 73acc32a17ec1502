"""Responses of calls."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Generic, Mapping, TypeVar, cast

from ._base_error import SavingsRatesError
from ._generated.errors import ERRORS
from ._retry import retry_after
from .errors import UnexpectedAnswerError
from .transport import Response

DataT = TypeVar("DataT")
MetaT = TypeVar("MetaT")


@dataclass(frozen=True)
class RateLimit:
    """Rate limit window: the UTC minute, or the UTC day once the daily limit is reached."""

    limit: int
    remaining: int
    reset_seconds: int


@dataclass(frozen=True)
class Answer(Generic[DataT, MetaT]):
    """Response of a call. ``data`` is what the endpoint returns, and ``meta`` its context, such as the attribution and the cursor of the next page."""

    data: DataT
    meta: MetaT
    #: ID of the request. Quote it when you contact support.
    request_id: str
    #: Credits charged for this request. 0 for unchanged data, for a retry whose first attempt was charged, and for test keys.
    credits_charged: int
    credits_balance: int
    #: True if an earlier attempt at this call was charged but its response was lost. This attempt is free.
    is_replay: bool
    #: True if the data has not changed and comes from the cache of the client. ``meta`` is then that of the stored response.
    is_unchanged: bool
    etag: str | None
    rate_limit: RateLimit | None


def _whole(headers: Mapping[str, str], name: str) -> int | None:
    text = headers.get(name, "")
    return int(text) if re.fullmatch(r"-?\d{1,15}", text) else None


def _rate_limit(headers: Mapping[str, str]) -> RateLimit | None:
    limit, remaining, reset = (_whole(headers, f"x-ratelimit-{name}") for name in ("limit", "remaining", "reset"))
    return None if limit is None or remaining is None or reset is None else RateLimit(limit, remaining, reset)


def _parse(body: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None  # Not JSON, or nested too deeply, so not from the service.
    return cast(dict[str, Any], value) if isinstance(value, dict) else None


def build_answer(response: Response, body: bytes, is_unchanged: bool) -> Answer[Any, Any] | SavingsRatesError:
    """Returns an error if the body is not an envelope: the response then came from something other than the API, such as a proxy."""
    headers = response.headers
    envelope = _parse(body)
    if envelope is None or "data" not in envelope or not isinstance(envelope.get("meta"), dict):
        message = "The response is not from the API. Check base_url and any proxies."
        return UnexpectedAnswerError("unexpected_answer", message, status=response.status, request_id=headers.get("x-svc-request-id"))
    return Answer(
        data=envelope["data"],
        meta=envelope["meta"],
        request_id=headers.get("x-svc-request-id", ""),
        credits_charged=_whole(headers, "x-svc-credits-charged") or 0,
        credits_balance=_whole(headers, "x-svc-credits-balance") or 0,
        is_replay=headers.get("x-svc-idempotent-replay") == "true",
        is_unchanged=is_unchanged,
        etag=headers.get("etag"),
        rate_limit=_rate_limit(headers),
    )


def build_error(response: Response) -> SavingsRatesError:
    """Converts a response that is neither 200 nor 304 to an error."""
    body = _parse(response.body)
    request_id = response.headers.get("x-svc-request-id")
    wait = retry_after(response.headers)
    if body is None or not isinstance(body.get("error"), str) or not isinstance(body.get("message"), str):
        message = f"Status {response.status} without an API error. Check base_url and any proxies."
        return UnexpectedAnswerError("unexpected_answer", message, status=response.status, request_id=request_id, retry_after=wait)
    kind = ERRORS.get(body["error"], SavingsRatesError)
    return kind(
        body["error"],
        body["message"],
        status=response.status,
        request_id=body.get("requestId") or request_id,
        docs=body.get("docs"),
        retry_after=wait,
        body=body,
        etag=response.headers.get("etag"),
    )
