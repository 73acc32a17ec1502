"""
Errors of failed calls. Every error of the API has a class, so that callers can catch the ones that they can handle. Codes that the API adds later are raised
as ``SavingsRatesError``.
"""

from __future__ import annotations

from ._base_error import SavingsRatesError as SavingsRatesError
from ._generated.errors import *


class NetworkError(SavingsRatesError):
    """The service could not be reached, or the connection was lost. Check the network and base_url, then repeat the call with ``idempotency_key``."""


class RequestTimeoutError(SavingsRatesError):
    """No complete response in time. Repeat the call with ``idempotency_key``, or raise ``timeout``."""


class UnexpectedAnswerError(SavingsRatesError):
    """The response is not from the API. Check base_url and any proxies."""
