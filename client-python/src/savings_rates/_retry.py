"""Pauses between attempts."""

from __future__ import annotations

import math
import random
import re
import time
from email.utils import parsedate_to_datetime
from typing import Callable, Mapping

from ._base_error import SavingsRatesError

#: Statuses of a busy or failed service or proxy. With any other status, a retry would give the same result.
RETRYABLE_STATUSES = frozenset({429, 500, 502, 503, 504})

FIRST_PAUSE = 0.25
MAX_PAUSE = 8.0
#: Maximum jitter in seconds, so that clients given the same delay don't all retry in the same second.
JITTER = 1.0


def _parse_date(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Parses Retry-After in seconds or as an HTTP date. Returns seconds, or None if the header is missing or invalid."""
    text = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}", text):
        return float(text)
    at = _parse_date(text) if text[:1].isalpha() else None
    if at is None:
        return None
    # Uses the server's clock if it is known, to allow for clock skew.
    sent = _parse_date(headers.get("date", ""))
    own = time.time() if now is None else now
    return float(max(0, math.ceil(at - (own if sent is None else sent))))


def pause_before(error: SavingsRatesError, attempts: int, rand: Callable[[], float] = random.random) -> float | None:
    """
    Returns the delay before the next attempt in seconds, or None if a retry is pointless. Never shorter than Retry-After. Without it, delays grow
    exponentially, and half of each delay is random.
    """
    is_retryable = error.code in ("network_error", "timeout") if error.status is None else error.status in RETRYABLE_STATUSES
    if not is_retryable:
        return None
    if error.retry_after is not None:
        return error.retry_after + rand() * JITTER
    pause = float(min(MAX_PAUSE, FIRST_PAUSE * 2 ** (attempts - 1)))
    return pause / 2 + rand() * pause / 2
