"""Options of the client and of single calls."""

from __future__ import annotations

import hashlib
import ipaddress
import math
import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from .cache import Cache

#: Version of this package, the same as in pyproject.toml.
VERSION = "0.2.0"

#: URL at which `npm start` serves the API. Replaced by the public URL when the package is built for publishing.
DEFAULT_BASE_URL = "http://localhost:3000/v1"

#: Nine minutes: the service remembers the idempotency key of a charged call for ten minutes, and a later retry could be charged again.
MAX_DEADLINE = 540.0
MAX_RETRIES = 10
MAX_CREDITS = 999_999_999


@dataclass(frozen=True, kw_only=True)
class CallOptions:
    """Options of a single call. They override the client's options."""

    #: Maximum credits that this call may cost. Lists are shortened to fit; a call with a higher fixed price is rejected.
    max_credits: int | None = None
    #: Your own idempotency key instead of a generated one. Store it to repeat the call after a crash without a second charge.
    idempotency_key: str | None = None
    #: Timeout for each attempt, in seconds.
    timeout: float | None = None
    #: Time limit for the whole call, including retries and pauses, in seconds.
    deadline: float | None = None
    #: Maximum retries after the first attempt.
    max_retries: int | None = None


@dataclass(frozen=True, kw_only=True)
class Settings:
    api_key: str = field(repr=False)
    base_url: str
    timeout: float
    deadline: float
    max_retries: int
    max_credits: int | None
    cache: Cache | None

    @property
    def cache_prefix(self) -> str:
        """Tells the responses of different keys apart without storing the key."""
        return hashlib.sha256(self.api_key.encode()).hexdigest()[:16]


def check_whole(name: str, value: int, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{name} must be a whole number from {low} to {high}.")
    return value


def check_seconds(name: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or not 0 < value <= MAX_DEADLINE:
        raise ValueError(f"{name} must be a number of seconds, more than 0 and at most {MAX_DEADLINE:g}.")
    return float(value)


def check_max_credits(value: int | None) -> int | None:
    return None if value is None else check_whole("max_credits", value, 0, MAX_CREDITS)


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False  # A name.


def _check_url(base_url: str, api_key: str, allow_http: bool) -> str:
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("base_url must start with https:// or http://.")
    if parts.scheme == "http" and api_key.startswith("svc_live_") and not allow_http and not _is_loopback(parts.hostname):
        raise ValueError("Live keys are only sent over https://, because anyone on the path can read plain HTTP. On a private network, set allow_http=True.")
    return base_url.rstrip("/")


def read_settings(
    *,
    api_key: str,
    base_url: str | None,
    timeout: float,
    deadline: float,
    max_retries: int,
    max_credits: int | None,
    cache: Cache | None,
    allow_http: bool,
) -> Settings:
    """Raises ValueError naming the invalid option."""
    if not isinstance(api_key, str) or not re.fullmatch(r"[\x21-\x7e]+", api_key):
        raise ValueError("api_key must be an API key without spaces.")
    return Settings(
        api_key=api_key,
        base_url=_check_url(base_url or DEFAULT_BASE_URL, api_key, allow_http),
        timeout=check_seconds("timeout", timeout),
        deadline=check_seconds("deadline", deadline),
        max_retries=check_whole("max_retries", max_retries, 0, MAX_RETRIES),
        max_credits=check_max_credits(max_credits),
        cache=cache,
    )
