# Made by `npm run client:generate` from the OpenAPI document of the service. Do not edit.
"""Errors of the API, and what to do about them."""

from __future__ import annotations

from .._base_error import SavingsRatesError


class InvalidRequestError(SavingsRatesError):
    """
    A parameter, a header or the body is not valid.

    The request is not valid. Check it against this endpoint's documentation.
    """


class MissingApiKeyError(SavingsRatesError):
    """
    The Authorization header is missing or is not a Bearer token.

    The Authorization header contains no API key. Send it as "Authorization: Bearer <API_KEY>". Keys in the query string
    or in X-API-Key are ignored.
    """


class InvalidApiKeyError(SavingsRatesError):
    """
    The key does not exist.

    This key does not exist. Check that you copied all of it, or create a key in the portal.
    """


class InsufficientCreditsError(SavingsRatesError):
    """
    The balance or a spending limit does not cover the call or, for a list, a single row.

    Your balance or a spending limit does not cover this call. Top up or raise the limit to continue. Nothing was
    charged.
    """


class KeyRevokedError(SavingsRatesError):
    """
    The key has been revoked or has expired.

    This key no longer works. Use another key, or create one in the portal.
    """


class AccountBlockedError(SavingsRatesError):
    """
    The account is blocked, or is not approved for live calls yet.

    This account cannot make calls. Contact support.
    """


class InsufficientScopeError(SavingsRatesError):
    """
    The key does not have the scope that the endpoint needs.

    This key does not have the scope named in "required". Add the scope to the key in the portal.
    """


class IpNotAllowedError(SavingsRatesError):
    """
    The key has an IP allow-list and the caller's address is not on it.

    This key can't be used from this address. Call from an address on its allow-list, or change the list in the portal.
    """


class LicenceReacceptanceRequiredError(SavingsRatesError):
    """
    The Data Licence changed and the deadline to accept it has passed.

    The deadline to accept the current Data Licence has passed. Accept the licence in the portal to continue.
    """


class SampleDataUnavailableError(SavingsRatesError):
    """
    A test key called an endpoint without sample data.

    This endpoint has no sample data. Use a live key.
    """


class EndpointRestrictedError(SavingsRatesError):
    """
    A live key called an endpoint that only accepts test keys for now.

    This endpoint only accepts test keys for now. Use a test key; the changelog will announce live access.
    """


class PlanUpgradeRequiredError(SavingsRatesError):
    """
    A live key called an endpoint, or used a parameter, that the account's plan does not include.

    Your plan does not include this call. Upgrade to the plan named in "requiredPlan".
    """


class NotFoundError(SavingsRatesError):
    """
    The route or item does not exist, or the endpoint is not launched yet.

    The path does not exist. Check it against the list of endpoints.
    """


class ReplayUnavailableError(SavingsRatesError):
    """
    The data has changed since the call with this Idempotency-Key was charged, and the first response is no longer
    stored.

    The data has changed since this call was charged, and its response is no longer stored. You were charged once. Send
    a new Idempotency-Key to buy the current data.
    """


class RateLimitedError(SavingsRatesError):
    """
    A rate limit is reached, such as the requests per minute or per day.

    Too many requests. Wait for the number of seconds in "retryAfter", then retry.
    """


class InternalError(SavingsRatesError):
    """
    The service failed.

    The service failed and nothing was charged. Retry shortly. If the problem persists, contact support with the
    requestId.
    """


#: Class of each error code.
ERRORS: dict[str, type[SavingsRatesError]] = {
    "invalid_request": InvalidRequestError,
    "missing_api_key": MissingApiKeyError,
    "invalid_api_key": InvalidApiKeyError,
    "insufficient_credits": InsufficientCreditsError,
    "key_revoked": KeyRevokedError,
    "account_blocked": AccountBlockedError,
    "insufficient_scope": InsufficientScopeError,
    "ip_not_allowed": IpNotAllowedError,
    "licence_reacceptance_required": LicenceReacceptanceRequiredError,
    "sample_data_unavailable": SampleDataUnavailableError,
    "endpoint_restricted": EndpointRestrictedError,
    "plan_upgrade_required": PlanUpgradeRequiredError,
    "not_found": NotFoundError,
    "replay_unavailable": ReplayUnavailableError,
    "rate_limited": RateLimitedError,
    "internal_error": InternalError,
}
