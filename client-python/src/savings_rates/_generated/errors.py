# Made by `npm run client:generate` from the OpenAPI document of the service. Do not edit.
"""Errors of the API, and what to do about them."""

from __future__ import annotations

from .._base_error import SavingsRatesError


class InvalidRequestError(SavingsRatesError):
    """
    A query or path parameter is not valid.

    Check the parameters against this endpoint's documentation.
    """


class MissingApiKeyError(SavingsRatesError):
    """
    The Authorization header is missing or is not a Bearer token.

    Send your key as "Authorization: Bearer <API_KEY>". Keys in the query string or in X-API-Key are ignored.
    """


class InvalidApiKeyError(SavingsRatesError):
    """
    The key does not exist.

    This key does not exist. Check that you copied all of it, or create a key in the portal.
    """


class InsufficientCreditsError(SavingsRatesError):
    """
    The balance or a spending limit does not cover the call or, for a list, a single row.

    Top up to continue. Nothing was charged.
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

    Add the scope named in "required" to the key in the portal.
    """


class IpNotAllowedError(SavingsRatesError):
    """
    The key has an IP allow-list and the caller's address is not on it.

    Call from an address on this key's allow-list, or change the list in the portal.
    """


class LicenceReacceptanceRequiredError(SavingsRatesError):
    """
    The Data Licence changed and the deadline to accept it has passed.

    Accept the current Data Licence in the portal to continue.
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

    Upgrade to the plan named in "requiredPlan" to make this call.
    """


class NotFoundError(SavingsRatesError):
    """
    The route or item does not exist, or the endpoint is not launched yet.

    Not found. Check the path against the list of endpoints.
    """


class ReplayUnavailableError(SavingsRatesError):
    """
    The data has changed since the call with this Idempotency-Key was charged.

    The data has changed since this call was charged, and its response is no longer stored. You were charged once. Send
    a new Idempotency-Key to buy the current data.
    """


class RateLimitedError(SavingsRatesError):
    """
    The request limit per minute or per day is reached.

    Wait for the number of seconds in "retryAfter", then retry.
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
