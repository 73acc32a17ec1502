"""Base class of the errors of failed calls."""

from __future__ import annotations

from typing import Any, Mapping


class SavingsRatesError(Exception):
    """A failed call. Branch on the class or on ``code``; the message is for people and says what to do."""

    #: Error code of the API, such as ``insufficient_credits``; or ``network_error``, ``timeout`` or ``unexpected_answer``.
    code: str
    message: str
    #: HTTP status; None if there was no response.
    status: int | None
    #: ID of the request, to quote when you contact support; None if the request didn't reach the service or its response was lost.
    request_id: str | None
    #: URL of the error code's documentation.
    docs: str | None
    #: Seconds to wait before retrying, if the service specified them.
    retry_after: float | None
    #: Complete error body. With ``insufficient_credits``, it has ``required``, ``balance`` and ``topUp``.
    body: Mapping[str, Any] | None
    #: ETag of the page that was paid for, with ``replay_unavailable``. A stored copy with this ETag is that page.
    etag: str | None
    #: Number of attempts made, including the one that failed with this error.
    attempts: int
    #: Idempotency key of the call; None for free calls. Repeating the call with it within ten minutes avoids a second charge.
    idempotency_key: str | None

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        request_id: str | None = None,
        docs: str | None = None,
        retry_after: float | None = None,
        body: Mapping[str, Any] | None = None,
        etag: str | None = None,
    ) -> None:
        # With both arguments, the error can be pickled, for example by a process pool.
        super().__init__(code, message)
        self.message = message
        self.code = code
        self.status = status
        self.request_id = request_id
        self.docs = docs
        self.retry_after = retry_after
        self.body = body
        self.etag = etag
        self.attempts = 1
        self.idempotency_key = None

    def __str__(self) -> str:
        return self.message
