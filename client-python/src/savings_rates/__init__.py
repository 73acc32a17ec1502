"""Client of the Savings Rates Data API."""

from ._answer import Answer, RateLimit
from ._base_error import SavingsRatesError
from ._generated.models import WebhookEvent
from ._parameters import UNSET, Unset
from ._settings import VERSION as __version__
from ._settings import CallOptions
from .cache import Cache, CachedResponse, ETagCache
from .client import AsyncSavingsRates, SavingsRates
from .pagination import AsyncPagination, PageOptions, Pagination, Stop
from .webhooks import WebhookError, WebhookFault, verify_webhook

__all__ = [
    "UNSET",
    "Answer",
    "AsyncPagination",
    "AsyncSavingsRates",
    "Cache",
    "CachedResponse",
    "CallOptions",
    "ETagCache",
    "PageOptions",
    "Pagination",
    "RateLimit",
    "SavingsRates",
    "SavingsRatesError",
    "Stop",
    "Unset",
    "WebhookError",
    "WebhookEvent",
    "WebhookFault",
    "__version__",
    "verify_webhook",
]
