"""Verification of webhook deliveries."""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import re
import time
from typing import Literal, Mapping, Sequence, cast

from ._generated.models import WebhookEvent

WebhookFault = Literal["missing_signature", "malformed_signature", "too_old", "too_new", "wrong_signature", "malformed_body"]

HEADER = "x-svc-signature"


class WebhookError(Exception):
    """Raised for a delivery that must not be trusted. Respond to it with 400."""

    reason: WebhookFault
    message: str

    def __init__(self, reason: WebhookFault, message: str) -> None:
        # With both arguments, the error can be pickled.
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message


def _read_header(headers: Mapping[str, str] | str | None) -> str:
    if headers is None or isinstance(headers, str):
        return headers or ""
    return next((value for name, value in headers.items() if name.lower() == HEADER), "")


def _parse_signature(headers: Mapping[str, str] | str | None) -> tuple[str, list[str]]:
    header = _read_header(headers)
    if header == "":
        message = "The X-SVC-Signature header is missing. Reject the request. If it should be genuine, check that you pass its original headers."
        raise WebhookError("missing_signature", message)
    parts = [part.strip() for part in header.split(",")]
    sent_at = next((part[2:] for part in parts if part.startswith("t=")), "")
    values = [part[3:] for part in parts if re.fullmatch(r"v1=[0-9a-f]{64}", part)]
    if not re.fullmatch(r"[0-9]{1,12}", sent_at) or not values:
        raise WebhookError("malformed_signature", "The X-SVC-Signature header is not in the format t=<seconds>,v1=<hex>. Reject the request.")
    return sent_at, values


def _check_time(sent_at: str, tolerance: float, now: float) -> None:
    age = now - int(sent_at)
    if age > tolerance:
        raise WebhookError("too_old", f"The delivery was signed more than {tolerance:g} seconds ago: reject it, or check this machine's clock.")
    if age < -tolerance:
        raise WebhookError("too_new", f"The delivery was signed more than {tolerance:g} seconds in the future: check this machine's clock.")


def _to_secrets(secret: str | Sequence[str]) -> Sequence[str]:
    secrets = [secret] if isinstance(secret, str) else list(secret)
    # With an empty secret, anyone could sign.
    if not secrets or not all(isinstance(one, str) and one for one in secrets):
        raise ValueError("secret must be your endpoint's secret, or a list of secrets.")
    return secrets


def _is_signed(message: bytes, values: Sequence[str], secrets: Sequence[str]) -> bool:
    is_genuine = False
    for secret in secrets:
        expected = hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
        for value in values:
            is_genuine = hmac.compare_digest(expected, value) or is_genuine
    return is_genuine


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str] | str | None,
    secret: str | Sequence[str],
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> WebhookEvent:
    """
    Verifies that a delivery was signed recently with your secret, and returns its event. New event types are added over time: ignore those that you don't
    know. Raises WebhookError if the delivery must not be trusted.

    Args:
        body: The raw body, before any parsing.
        headers: Request headers, or just the value of ``X-SVC-Signature``.
        secret: The endpoint's secret (``whsec_…``), or several: the new and the old one during a rotation.
        tolerance: Maximum difference between the signature's time and now in seconds, in either direction.
        now: Unix time with which the signature's time is compared. Default: now.
    """
    secrets = _to_secrets(secret)
    if not math.isfinite(tolerance) or tolerance < 0:
        raise ValueError("tolerance must be a number of seconds, 0 or more.")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    sent_at, values = _parse_signature(headers)
    _check_time(sent_at, tolerance, time.time() if now is None else now)
    if not _is_signed(f"{sent_at}.".encode() + raw, values, secrets):
        message = "The signature doesn't match. Reject the request. If it should be genuine, check that you use the raw body and the endpoint's secret."
        raise WebhookError("wrong_signature", message)
    try:
        return cast(WebhookEvent, json.loads(raw))
    except ValueError as error:
        raise WebhookError("malformed_body", "The body is not JSON.") from error
