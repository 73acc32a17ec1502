# Made by `npm run client:generate` from the OpenAPI document of the service. Do not edit.
"""One method for each endpoint of the API."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Literal, Mapping, Sequence

from .._answer import Answer
from .._parameters import UNSET, Amount, Day, Time, Unset
from .._settings import CallOptions
from ..pagination import AsyncPagination, PageOptions, Pagination
from .models import (
    AccountOffer,
    AccountOfferField,
    AccountType,
    Alert,
    CardAsset,
    CardStats,
    CardStatsField,
    CategoryStats,
    CategoryStatsField,
    CreatedWebhook,
    Currency,
    DeletedObject,
    ExchangeRate,
    ExchangeRateField,
    ExchangeRateOfDay,
    ExchangeRateOfDayField,
    FscsBrand,
    IsaAllowance,
    ListMeta,
    MarketAverage,
    MarketAverageField,
    MarketBoeRate,
    MarketEcbRate,
    MarketHeroStats,
    MarketInflation,
    MarketOverview,
    Me,
    Meta,
    Ping,
    ProductLink,
    Provider,
    ProviderAsset,
    ProviderField,
    ProviderWithProducts,
    QueuedDelivery,
    RateChange,
    RateChangeField,
    RateComponents,
    RateComponentsField,
    RateTrend,
    RateTrendField,
    ReferenceCard,
    ReferenceProduct,
    ReferenceProvider,
    RegularSaver,
    RewardCard,
    RewardCardField,
    RotatedWebhookSecret,
    SampleEvent,
    SavingsGrowth,
    SavingsProduct,
    SavingsProductField,
    SavingsTax,
    SentEvent,
    SentEventField,
    ServiceQuality,
    Simulation,
    Snapshot,
    SwitchOffer,
    SwitchOfferField,
    TestDelivery,
    TravelCard,
    TravelCardField,
    Usage,
    UsageField,
    Webhook,
    WebhookDelivery,
    WebhookDeliveryDetails,
    WebhookDeliveryField,
)


class Operations(ABC):
    """One method for each endpoint of the API."""

    @abstractmethod
    def _call(self, name: str, given: Mapping[str, Any], options: CallOptions | None) -> Answer[Any, Any]: ...

    @abstractmethod
    def _iterate(self, name: str, given: Mapping[str, Any], options: PageOptions | None) -> Pagination[Any]: ...

    def service_ping(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[Ping, Meta]:
        """
        Check that the API is reachable, and get the mode of the key.

        Use it to check a key or that the API is reachable.

        Free. Works with any key.

        Open to live and test keys.
        """
        return self._call("servicePing", {}, options)

    def service_me(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[Me, Meta]:
        """
        Get the account, its balance, limits and usage, and the endpoints this key can call.

        Use it to check the balance, the limits and the available endpoints before making paid calls.

        Free. Works with any key.

        Open to live and test keys.
        """
        return self._call("serviceMe", {}, options)

    def reference_providers(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[list[ReferenceProvider], ListMeta]:
        """
        List the slugs and names of all active providers.

        Use it to find the slug of a provider, which other tools accept as `provider` or `slug`.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `providers:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.
        """
        return self._call("referenceProviders", {}, options)

    def reference_products(
        self,
        *,
        type: Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"] | None = None,
        provider: str | None = None,
        min_term_months: int | None = None,
        max_term_months: int | None = None,
        max_notice_days: int | None = None,
        access: str | None = None,
        interest_paid: Literal["daily", "monthly", "quarterly", "half-yearly", "annually", "at-maturity"] | None = None,
        new_customers_only: bool | None = None,
        fscs_group: str | None = None,
        q: str | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[ReferenceProduct], ListMeta]:
        """
        List the keys and names of all products.

        Use it to find the sourceKey of a product by name; much cheaper than listing rates.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            type: Account type. Default: "all".
            provider: Slug of a provider, as in /reference/providers.
            min_term_months: Minimum term in months. Excludes products without a term.
            max_term_months: Maximum term in months. Excludes products without a term.
            max_notice_days: Maximum notice period in days. Excludes products without a notice period.
            access: Phrase contained in the withdrawal terms (`access`). Case-insensitive.
            interest_paid: Interest payment frequency.
            new_customers_only: `true` lists only accounts for new customers, `false` only accounts open to everyone.
            fscs_group: Licence group of the provider, as `licenceGroup` in /providers. The providers of a group share
                one protection limit.
            q: Words in the name of the account or provider. Matches the start of words and tolerates one or two typos.
        """
        return self._call("referenceProducts", {"type": type, "provider": provider, "minTermMonths": min_term_months, "maxTermMonths": max_term_months, "maxNoticeDays": max_notice_days, "access": access, "interestPaid": interest_paid, "newCustomersOnly": new_customers_only, "fscsGroup": fscs_group, "q": q}, options)

    def reference_cards(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[list[ReferenceCard], ListMeta]:
        """
        List the keys and names of all cards.

        Use it to find the sourceKey of a card by name.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `cards:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.
        """
        return self._call("referenceCards", {}, options)

    def reference_currencies(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[list[Currency], ListMeta]:
        """
        List the currencies supported by cards and exchange rates.

        Use it to find the codes for `currency`.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `cards:read`.

        Open to live and test keys.
        """
        return self._call("referenceCurrencies", {}, options)

    def reference_account_types(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[list[AccountType], ListMeta]:
        """
        List the account types.

        Use it to find the values of `type` and their meaning.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.

        Open to live and test keys.
        """
        return self._call("referenceAccountTypes", {}, options)

    def reference_fscs(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[list[FscsBrand], ListMeta]:
        """
        List deposit protection limits and the brands that share them.

        Use it to check how much is protected, or which brands share one limit, before splitting money between banks.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `providers:read`.

        Open to live and test keys.
        """
        return self._call("referenceFscs", {}, options)

    def rates_list(
        self,
        *,
        type: Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"] | None = None,
        provider: str | None = None,
        amount: Amount | None = None,
        payable: Literal["now"] | None = None,
        min_rate: Amount | None = None,
        max_rate: Amount | None = None,
        min_balance: Amount | None = None,
        source_key: str | Sequence[str] | None = None,
        min_term_months: int | None = None,
        max_term_months: int | None = None,
        max_notice_days: int | None = None,
        access: str | None = None,
        interest_paid: Literal["daily", "monthly", "quarterly", "half-yearly", "annually", "at-maturity"] | None = None,
        new_customers_only: bool | None = None,
        fscs_group: str | None = None,
        q: str | None = None,
        updated_since: Time | None = None,
        withdrawn: Literal["include"] | None = None,
        as_of: Day | None = None,
        sort: Literal["-rate", "rate", "provider", "updatedAt", "-updatedAt", "minBalance", "-minBalance"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[SavingsProductField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[SavingsProduct], ListMeta]:
        """
        List savings products, best rate first.

        Pages stay consistent while rates change: no product is skipped or repeated. The exception is sorting by
        updatedAt: a product that changes meanwhile moves to the end and may be returned twice. Charged per row, not per
        page.

        Use it to find the best savings accounts by account type, provider, amount, term or name.

        Costs 1 credit per row (10p per row). Test keys are never charged. Needs the scope `rates:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            type: Account type. Default: "all".
            provider: Slug of a provider, as in /reference/providers.
            amount: Balance in GBP: only products that accept it are listed. `matchReasons` says whether the amount has
                to be paid in over time. At most two decimals.
            payable: Use `now` to exclude products that cannot accept the whole amount immediately: regular savers with
                a lower monthly limit, and ISAs with a lower yearly allowance. Needs `amount`.
            min_rate: Minimum rate in percent, including the bonus. At most two decimals.
            max_rate: Maximum rate in percent, including the bonus. At most two decimals.
            min_balance: Opening balance in GBP. Only products that can be opened with it are listed. At most two
                decimals.
            source_key: Product keys separated by commas, at most 50. Unknown and withdrawn products are left out. Set
                limit to the number of keys.
            min_term_months: Minimum term in months. Excludes products without a term.
            max_term_months: Maximum term in months. Excludes products without a term.
            max_notice_days: Maximum notice period in days. Excludes products without a notice period.
            access: Phrase contained in the withdrawal terms (`access`). Case-insensitive.
            interest_paid: Interest payment frequency.
            new_customers_only: `true` lists only accounts for new customers, `false` only accounts open to everyone.
            fscs_group: Licence group of the provider, as `licenceGroup` in /providers. The providers of a group share
                one protection limit.
            q: Words in the name of the account or provider. Matches the start of words and tolerates one or two typos.
            updated_since: Return only rows with a later updatedAt (ISO 8601, UTC). Pass meta.updatedUntil from your
                last update to get every change since.
            withdrawn: Use `include` to return rows withdrawn after updatedSince too, with withdrawnAt set. Needs
                updatedSince, at most 90 days ago.
            as_of: Date, UK time: returns the market as it was after that morning's import. Today or up to 30 days ago;
                /snapshots lists the available days. Enterprise plan only.
            sort: Sort order. A leading hyphen means descending. Default: "-rate". Ties are broken by sourceKey.
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return self._call("ratesList", {"type": type, "provider": provider, "amount": amount, "payable": payable, "minRate": min_rate, "maxRate": max_rate, "minBalance": min_balance, "sourceKey": source_key, "minTermMonths": min_term_months, "maxTermMonths": max_term_months, "maxNoticeDays": max_notice_days, "access": access, "interestPaid": interest_paid, "newCustomersOnly": new_customers_only, "fscsGroup": fscs_group, "q": q, "updatedSince": updated_since, "withdrawn": withdrawn, "asOf": as_of, "sort": sort, "limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_rates_list(
        self,
        *,
        type: Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"] | None = None,
        provider: str | None = None,
        amount: Amount | None = None,
        payable: Literal["now"] | None = None,
        min_rate: Amount | None = None,
        max_rate: Amount | None = None,
        min_balance: Amount | None = None,
        source_key: str | Sequence[str] | None = None,
        min_term_months: int | None = None,
        max_term_months: int | None = None,
        max_notice_days: int | None = None,
        access: str | None = None,
        interest_paid: Literal["daily", "monthly", "quarterly", "half-yearly", "annually", "at-maturity"] | None = None,
        new_customers_only: bool | None = None,
        fscs_group: str | None = None,
        q: str | None = None,
        updated_since: Time | None = None,
        withdrawn: Literal["include"] | None = None,
        as_of: Day | None = None,
        sort: Literal["-rate", "rate", "provider", "updatedAt", "-updatedAt", "minBalance", "-minBalance"] | None = None,
        limit: int | None = None,
        fields: Sequence[SavingsProductField] | None = None,
        options: PageOptions | None = None,
    ) -> Pagination[SavingsProduct]:
        """
        Iterates over the rows of all pages: see ``rates_list``. ``limit`` is the number of rows per page.
        """
        return self._iterate("ratesList", {"type": type, "provider": provider, "amount": amount, "payable": payable, "minRate": min_rate, "maxRate": max_rate, "minBalance": min_balance, "sourceKey": source_key, "minTermMonths": min_term_months, "maxTermMonths": max_term_months, "maxNoticeDays": max_notice_days, "access": access, "interestPaid": interest_paid, "newCustomersOnly": new_customers_only, "fscsGroup": fscs_group, "q": q, "updatedSince": updated_since, "withdrawn": withdrawn, "asOf": as_of, "sort": sort, "limit": limit, "fields": fields}, options)

    def rates_get(
        self,
        source_key: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[SavingsProduct, Meta]:
        """
        Get a savings product.

        Use it to get the current terms of a product by its sourceKey.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            source_key: Stable product ID.
        """
        return self._call("ratesGet", {"sourceKey": source_key}, options)

    def rates_link(
        self,
        source_key: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[ProductLink, Meta]:
        """
        Get the URL of a product's page on the provider's site.

        Use it to send someone to the page where they can open the account.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            source_key: Stable product ID.
        """
        return self._call("ratesLink", {"sourceKey": source_key}, options)

    def history_list(
        self,
        *,
        type: Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"] | None = None,
        provider: str | None = None,
        source_key: str | None = None,
        from_: Day | None = None,
        to: Day | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[RateChangeField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[RateChange], ListMeta]:
        """
        List savings rate changes, newest first.

        Includes launches and withdrawals of products. The order never changes, so pages neither skip nor repeat a
        change. Charged per row, not per page.

        Use it to see when and by how much a product's rate changed.

        Costs 2 credits per row (20p per row). Test keys are never charged. Needs the scope `history:read`. Live keys
        need the Enterprise plan; on a lower plan they get `plan_upgrade_required` and are not charged.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            type: Account type. Default: "all".
            provider: Slug of a provider, as in /reference/providers.
            source_key: Only this product, listed or withdrawn.
            from_: First effective date, inclusive.
            to: Last effective date, inclusive.
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return self._call("historyList", {"type": type, "provider": provider, "sourceKey": source_key, "from": from_, "to": to, "limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_history_list(
        self,
        *,
        type: Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"] | None = None,
        provider: str | None = None,
        source_key: str | None = None,
        from_: Day | None = None,
        to: Day | None = None,
        limit: int | None = None,
        fields: Sequence[RateChangeField] | None = None,
        options: PageOptions | None = None,
    ) -> Pagination[RateChange]:
        """
        Iterates over the rows of all pages: see ``history_list``. ``limit`` is the number of rows per page.
        """
        return self._iterate("historyList", {"type": type, "provider": provider, "sourceKey": source_key, "from": from_, "to": to, "limit": limit, "fields": fields}, options)

    def history_components(
        self,
        *,
        type: Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"] | None = None,
        provider: str | None = None,
        source_key: str | None = None,
        from_: Day | None = None,
        to: Day | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[RateComponentsField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[RateComponents], ListMeta]:
        """
        List base rates and bonuses by period, newest first.

        Each row is the period between two changes of a product. `from` and `to` filter by its first day. Charged per
        row, not per page.

        Use it to see the base rate and bonus of a product over time.

        Costs 2 credits per row (20p per row). Test keys are never charged. Needs the scope `history:read`. Live keys
        need the Enterprise plan; on a lower plan they get `plan_upgrade_required` and are not charged.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            type: Account type. Default: "all".
            provider: Slug of a provider, as in /reference/providers.
            source_key: Only this product, listed or withdrawn.
            from_: First effective date, inclusive.
            to: Last effective date, inclusive.
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return self._call("historyComponents", {"type": type, "provider": provider, "sourceKey": source_key, "from": from_, "to": to, "limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_history_components(
        self,
        *,
        type: Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"] | None = None,
        provider: str | None = None,
        source_key: str | None = None,
        from_: Day | None = None,
        to: Day | None = None,
        limit: int | None = None,
        fields: Sequence[RateComponentsField] | None = None,
        options: PageOptions | None = None,
    ) -> Pagination[RateComponents]:
        """
        Iterates over the rows of all pages: see ``history_components``. ``limit`` is the number of rows per page.
        """
        return self._iterate("historyComponents", {"type": type, "provider": provider, "sourceKey": source_key, "from": from_, "to": to, "limit": limit, "fields": fields}, options)

    def rate_trends(
        self,
        *,
        type: Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"] | None = None,
        provider: str | None = None,
        source_key: str | None = None,
        days: int | None = None,
        from_: Day | None = None,
        fields: Sequence[RateTrendField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[RateTrend], ListMeta]:
        """
        Get savings rate trends as time series.

        Returns the best, average and median rate by account type, for the whole market or one provider; for a product,
        its own rate. Points are one day apart in windows of up to 92 days, one week apart up to 731 days, and four
        weeks apart in longer ones. The last point is today.

        Use it to see how rates have moved over months.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `history:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample
        data from fictional providers.

        Args:
            type: Account type. Default: "all".
            provider: Slug of a provider, to include only its products.
            source_key: Only this product, listed or withdrawn.
            days: Length of the window in days, ending today. Default: 365.
            from_: First day of the window. Alternative to "days".
            fields: Fields to return in each row. Default: all.
        """
        return self._call("rateTrends", {"type": type, "provider": provider, "sourceKey": source_key, "days": days, "from": from_, "fields": fields}, options)

    def providers_list(
        self,
        *,
        updated_since: Time | None = None,
        withdrawn: Literal["include"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[ProviderField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[Provider], ListMeta]:
        """
        List providers by name, with product counts and shared licences.

        Charged per row, not per page.

        Use it to compare banks and building societies rather than their products.

        Costs 1 credit per row (10p per row). Test keys are never charged. Needs the scope `providers:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            updated_since: Return only rows with a later updatedAt (ISO 8601, UTC). Pass meta.updatedUntil from your
                last update to get every change since.
            withdrawn: Use `include` to return rows withdrawn after updatedSince too, with withdrawnAt set. Needs
                updatedSince, at most 90 days ago.
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return self._call("providersList", {"updatedSince": updated_since, "withdrawn": withdrawn, "limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_providers_list(
        self,
        *,
        updated_since: Time | None = None,
        withdrawn: Literal["include"] | None = None,
        limit: int | None = None,
        fields: Sequence[ProviderField] | None = None,
        options: PageOptions | None = None,
    ) -> Pagination[Provider]:
        """
        Iterates over the rows of all pages: see ``providers_list``. ``limit`` is the number of rows per page.
        """
        return self._iterate("providersList", {"updatedSince": updated_since, "withdrawn": withdrawn, "limit": limit, "fields": fields}, options)

    def providers_get(
        self,
        slug: str,
        *,
        as_of: Day | None = None,
        options: CallOptions | None = None,
    ) -> Answer[ProviderWithProducts, Meta]:
        """
        Get a provider and its savings products.

        Use it to get a provider and everything it offers; look up its slug with reference_providers.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `providers:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            slug: Slug of the provider, as in /reference/providers.
            as_of: Date, UK time: returns the market as it was after that morning's import. Today or up to 30 days ago;
                /snapshots lists the available days. Enterprise plan only.
        """
        return self._call("providersGet", {"slug": slug, "asOf": as_of}, options)

    def providers_service_quality(
        self,
        slug: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[ServiceQuality, Meta]:
        """
        Get customer ratings of a provider by survey and region.

        Surveys cover current account providers: `surveys` is empty for others. `cassParticipant` on /providers shows
        which providers have current accounts.

        Use it to check how satisfied a bank's customers are before recommending it.

        Costs 2 credits (20p). Test keys are never charged. Needs the scope `providers:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            slug: Slug of the provider, as in /reference/providers.
        """
        return self._call("providersServiceQuality", {"slug": slug}, options)

    def switch_offers(
        self,
        *,
        updated_since: Time | None = None,
        withdrawn: Literal["include"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[SwitchOfferField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[SwitchOffer], ListMeta]:
        """
        List bonuses for switching current accounts, highest first.

        Ended offers are omitted. Charged per row, not per page.

        Use it to find bonuses for switching a current account, and their terms.

        Costs 1 credit per row (10p per row). Test keys are never charged. Needs the scope `offers:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            updated_since: Return only rows with a later updatedAt (ISO 8601, UTC). Pass meta.updatedUntil from your
                last update to get every change since.
            withdrawn: Use `include` to return rows withdrawn after updatedSince too, with withdrawnAt set. Needs
                updatedSince, at most 90 days ago.
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return self._call("switchOffers", {"updatedSince": updated_since, "withdrawn": withdrawn, "limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_switch_offers(
        self,
        *,
        updated_since: Time | None = None,
        withdrawn: Literal["include"] | None = None,
        limit: int | None = None,
        fields: Sequence[SwitchOfferField] | None = None,
        options: PageOptions | None = None,
    ) -> Pagination[SwitchOffer]:
        """
        Iterates over the rows of all pages: see ``switch_offers``. ``limit`` is the number of rows per page.
        """
        return self._iterate("switchOffers", {"updatedSince": updated_since, "withdrawn": withdrawn, "limit": limit, "fields": fields}, options)

    def account_offers(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[AccountOfferField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[AccountOffer], ListMeta]:
        """
        List offers for opening a current account.

        Sorted by offerKey; ended offers are omitted. Charged per page, regardless of size.

        Use it to find the benefits of opening a current account.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `offers:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample
        data from fictional providers.

        Args:
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return self._call("accountOffers", {"limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_account_offers(
        self,
        *,
        limit: int | None = None,
        fields: Sequence[AccountOfferField] | None = None,
        options: PageOptions | None = None,
    ) -> Pagination[AccountOffer]:
        """
        Iterates over the rows of all pages: see ``account_offers``. ``limit`` is the number of rows per page.
        """
        return self._iterate("accountOffers", {"limit": limit, "fields": fields}, options)

    def cards_rewards(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[RewardCardField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[RewardCard], ListMeta]:
        """
        List reward cards and their terms.

        Sorted by sourceKey. Charged per page, regardless of size.

        Use it to compare cards by cashback, points and fees.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `cards:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample
        data from fictional providers.

        Args:
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return self._call("cardsRewards", {"limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_cards_rewards(
        self,
        *,
        limit: int | None = None,
        fields: Sequence[RewardCardField] | None = None,
        options: PageOptions | None = None,
    ) -> Pagination[RewardCard]:
        """
        Iterates over the rows of all pages: see ``cards_rewards``. ``limit`` is the number of rows per page.
        """
        return self._iterate("cardsRewards", {"limit": limit, "fields": fields}, options)

    def cards_travel(
        self,
        *,
        currency: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[TravelCardField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[TravelCard], ListMeta]:
        """
        List travel cards and their fees, lowest foreign transaction fee first.

        With `currency`, only cards that support it are listed. `costPer100` includes fees only, not the card's
        exchange-rate margin. Charged per page, regardless of size.

        Use it to compare cards by their fees abroad.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `cards:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample
        data from fictional providers.

        Args:
            currency: Currency code, as in /reference/currencies. Only cards that support it are listed.
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return self._call("cardsTravel", {"currency": currency, "limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_cards_travel(
        self,
        *,
        currency: str | None = None,
        limit: int | None = None,
        fields: Sequence[TravelCardField] | None = None,
        options: PageOptions | None = None,
    ) -> Pagination[TravelCard]:
        """
        Iterates over the rows of all pages: see ``cards_travel``. ``limit`` is the number of rows per page.
        """
        return self._iterate("cardsTravel", {"currency": currency, "limit": limit, "fields": fields}, options)

    def assets_provider(
        self,
        slug: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[ProviderAsset, Meta]:
        """
        Get the logo of a provider.

        Returns 404 without a charge if the provider has no logo.

        Use it to display the logo of a provider; not needed for text answers.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `providers:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            slug: Slug of the provider, as in /reference/providers.
        """
        return self._call("assetsProvider", {"slug": slug}, options)

    def assets_card(
        self,
        source_key: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[CardAsset, Meta]:
        """
        Get the image of a card.

        Use it to display the image of a card; not needed for text answers.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `cards:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample
        data from fictional providers.

        Args:
            source_key: Stable card ID, as in /reference/cards.
        """
        return self._call("assetsCard", {"sourceKey": source_key}, options)

    def simulate(
        self,
        *,
        months: int,
        source_key: str | None = None,
        rate: Amount | None = None,
        amount: Amount | None = None,
        balance: Amount | None = None,
        options: CallOptions | None = None,
    ) -> Answer[Simulation, Meta]:
        """
        Simulate the growth of a balance in a product.

        Uses the product's actual terms: its AER is converted to a rate per interest payment, an introductory bonus ends
        after its duration, and a fixed rate ends at maturity. A plain rate compounds annually. Interest is rounded half
        up to the penny at each credit.

        Use it to calculate how a balance grows in a product, including its bonus and term.

        Costs 2 credits (20p). Test keys are never charged. Needs the scope `rates:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            source_key: Stable product ID. Give either this or "rate".
            rate: Plain yearly rate in percent, such as 4.50. Give either this or "sourceKey". At most two decimals.
            amount: Opening balance, in GBP. At most two decimals.
            balance: Alias of "amount". Give only one of them. At most two decimals.
            months: Number of months.
        """
        return self._call("simulate", {"sourceKey": source_key, "rate": rate, "amount": amount, "balance": balance, "months": months}, options)

    def calculators_savings_tax(
        self,
        *,
        income: Amount,
        interest: Amount,
        tax_year: Literal["2023-24", "2024-25", "2025-26", "2026-27", "2027-28"] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[SavingsTax, Meta]:
        """
        Calculate the tax on savings interest.

        Tax on a year of savings interest for a UK taxpayer: personal allowance and taper, starting rate, personal
        savings allowance and the rates of the tax year.

        Use it to calculate how much tax someone owes on savings interest.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            income: Taxable income in the year in GBP before tax, excluding savings interest and dividends. At most two
                decimals.
            interest: Savings interest in the year in GBP, excluding ISA interest. At most two decimals.
            tax_year: Tax year, from 6 April to 5 April, such as 2026-27. Default: the current tax year, UK time.
        """
        return self._call("calculatorsSavingsTax", {"income": income, "interest": interest, "taxYear": tax_year}, options)

    def calculators_isa_allowance(
        self,
        *,
        used: Amount | None = None,
        cash: Amount | None = None,
        stocks_shares: Amount | None = None,
        innovative_finance: Amount | None = None,
        lifetime: Amount | None = None,
        withdrawn: Amount | None = None,
        flexible: bool | None = None,
        age: int | None = None,
        tax_year: Literal["2023-24", "2024-25", "2025-26", "2026-27", "2027-28"] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[IsaAllowance, Meta]:
        """
        Calculate the remaining ISA allowance.

        Give either "used", the total paid into adult ISAs in the tax year, or the amounts by type. If you give neither,
        the calculation assumes that nothing has been paid in.

        Use it to check how much can still be paid into ISAs this tax year.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            used: Total paid into ISAs in the tax year, in GBP. At most two decimals.
            cash: Paid into cash ISAs in the tax year, in GBP. At most two decimals.
            stocks_shares: Paid into stocks and shares ISAs in the tax year, in GBP. At most two decimals.
            innovative_finance: Paid into innovative finance ISAs in the tax year, in GBP. At most two decimals.
            lifetime: Paid into a lifetime ISA in the tax year, in GBP, excluding the bonus. At most two decimals.
            withdrawn: Withdrawn from ISAs in the tax year, in GBP. At most two decimals.
            flexible: True if the ISA withdrawn from is flexible. Default: false.
            age: Age in whole years: at least 18, or 16 in 2023-24, when cash ISAs were open from that age.
            tax_year: Tax year, from 6 April to 5 April, such as 2026-27. Default: the current tax year, UK time.
        """
        return self._call("calculatorsIsaAllowance", {"used": used, "cash": cash, "stocksShares": stocks_shares, "innovativeFinance": innovative_finance, "lifetime": lifetime, "withdrawn": withdrawn, "flexible": flexible, "age": age, "taxYear": tax_year}, options)

    def calculators_savings_growth(
        self,
        *,
        amount: Amount,
        rate: Amount,
        months: int,
        monthly: Amount | None = None,
        inflation: Amount | None = None,
        options: CallOptions | None = None,
    ) -> Answer[SavingsGrowth, Meta]:
        """
        Calculate the growth of savings at a given rate.

        An opening amount, with optional monthly deposits, at a rate that compounds annually.

        Use it to calculate how savings grow at a known or assumed rate.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            amount: Opening amount, in GBP. At most two decimals.
            rate: Yearly rate in percent, such as 4.50. At most two decimals.
            months: Number of months.
            monthly: Deposit at the start of every month, in GBP. Default: 0. At most two decimals.
            inflation: Yearly inflation in percent. If given, the response includes the end balance in today's money. At
                most two decimals.
        """
        return self._call("calculatorsSavingsGrowth", {"amount": amount, "rate": rate, "months": months, "monthly": monthly, "inflation": inflation}, options)

    def calculators_regular_saver(
        self,
        *,
        monthly: Amount,
        rate: Amount,
        months: int,
        options: CallOptions | None = None,
    ) -> Answer[RegularSaver, Meta]:
        """
        Calculate the interest on a regular saver.

        The same deposit at the start of every month; interest is calculated on each deposit.

        Use it to calculate the interest on monthly deposits.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            monthly: Deposit at the start of every month, in GBP. At most two decimals.
            rate: Yearly rate in percent, such as 7.00. At most two decimals.
            months: Number of months.
        """
        return self._call("calculatorsRegularSaver", {"monthly": monthly, "rate": rate, "months": months}, options)

    def fx_rates(
        self,
        *,
        currency: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[ExchangeRateField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[ExchangeRate], ListMeta]:
        """
        List the latest exchange rate of each currency against the pound.

        Real data for both live and test keys: indicative mid-market or reference rates, not card rates. Sorted by
        currency code. Currencies without a published rate are omitted. Charged per page, regardless of size.

        Use it to convert between pounds and another currency.

        Costs 1 credit (10p). Test keys are never charged. Needs one of these scopes: `cards:read`, `market:read`.

        Open to live and test keys.

        Args:
            currency: Only this currency, a code from /reference/currencies. Currencies without a rate, such as GBP (the
                base), return an empty page, which is charged like any other; omit `currency` to see which have one.
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return self._call("fxRates", {"currency": currency, "limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_fx_rates(
        self,
        *,
        currency: str | None = None,
        limit: int | None = None,
        fields: Sequence[ExchangeRateField] | None = None,
        options: PageOptions | None = None,
    ) -> Pagination[ExchangeRate]:
        """
        Iterates over the rows of all pages: see ``fx_rates``. ``limit`` is the number of rows per page.
        """
        return self._iterate("fxRates", {"currency": currency, "limit": limit, "fields": fields}, options)

    def cards_fx_history(
        self,
        *,
        currency: str | None = None,
        from_: Day | None = None,
        to: Day | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[ExchangeRateOfDayField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[ExchangeRateOfDay], ListMeta]:
        """
        List historical exchange rates of the pound, newest first.

        Real data for both live and test keys, up to three years back. Without `currency`, all currencies are listed for
        each day, sorted by code. Days without a published rate are omitted. Bundled rates, used until newer ones are
        fetched, are monthly or quarterly from March 2024 and weekly from 15 September 2026. Charged per page,
        regardless of size.

        Use it to see how the pound has moved against a currency.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `cards:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged.

        Args:
            currency: Only this currency, a code from /reference/currencies. Currencies without a rate, such as GBP (the
                base), return an empty page, which is charged like any other; omit `currency` to see which have one.
            from_: First day, inclusive.
            to: Last day, inclusive.
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return self._call("cardsFxHistory", {"currency": currency, "from": from_, "to": to, "limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_cards_fx_history(
        self,
        *,
        currency: str | None = None,
        from_: Day | None = None,
        to: Day | None = None,
        limit: int | None = None,
        fields: Sequence[ExchangeRateOfDayField] | None = None,
        options: PageOptions | None = None,
    ) -> Pagination[ExchangeRateOfDay]:
        """
        Iterates over the rows of all pages: see ``cards_fx_history``. ``limit`` is the number of rows per page.
        """
        return self._iterate("cardsFxHistory", {"currency": currency, "from": from_, "to": to, "limit": limit, "fields": fields}, options)

    def market_overview(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[MarketOverview, Meta]:
        """
        Get an overview of the savings market compared with Bank Rate and inflation.

        Counts of rate rises and cuts use dates in UK time and match the rows of /history. A rate equal to Bank Rate or
        CPI does not beat it.

        Use it to see how good savings rates are now, compared with Bank Rate and inflation.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample
        data from fictional providers.
        """
        return self._call("marketOverview", {}, options)

    def market_averages(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[MarketAverageField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[MarketAverage], ListMeta]:
        """
        List average rates by account type and term, with Bank of England averages for comparison.

        All products have the same weight, and rates include bonuses. The Bank of England's quoted rates are weighted
        averages of a smaller market, so ours are usually higher. `limit=50` returns all rows on one page.

        Use it to see whether a rate is above or below average for its account type.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample
        data from fictional providers.

        Args:
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return self._call("marketAverages", {"limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_market_averages(
        self,
        *,
        limit: int | None = None,
        fields: Sequence[MarketAverageField] | None = None,
        options: PageOptions | None = None,
    ) -> Pagination[MarketAverage]:
        """
        Iterates over the rows of all pages: see ``market_averages``. ``limit`` is the number of rows per page.
        """
        return self._iterate("marketAverages", {"limit": limit, "fields": fields}, options)

    def market_category_stats(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[CategoryStatsField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[CategoryStats], ListMeta]:
        """
        Get summary statistics by account type.

        One row per account type, including types without products.

        Use it to compare account types.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample
        data from fictional providers.

        Args:
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return self._call("marketCategoryStats", {"limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_market_category_stats(
        self,
        *,
        limit: int | None = None,
        fields: Sequence[CategoryStatsField] | None = None,
        options: PageOptions | None = None,
    ) -> Pagination[CategoryStats]:
        """
        Iterates over the rows of all pages: see ``market_category_stats``. ``limit`` is the number of rows per page.
        """
        return self._iterate("marketCategoryStats", {"limit": limit, "fields": fields}, options)

    def market_card_stats(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[CardStatsField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[CardStats], ListMeta]:
        """
        Get summary statistics for reward and travel cards.

        Two rows: rewards, then travel. Points, miles and vouchers do not count as cashback.

        Use it to see what cards typically offer and charge.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample
        data from fictional providers.

        Args:
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return self._call("marketCardStats", {"limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_market_card_stats(
        self,
        *,
        limit: int | None = None,
        fields: Sequence[CardStatsField] | None = None,
        options: PageOptions | None = None,
    ) -> Pagination[CardStats]:
        """
        Iterates over the rows of all pages: see ``market_card_stats``. ``limit`` is the number of rows per page.
        """
        return self._iterate("marketCardStats", {"limit": limit, "fields": fields}, options)

    def market_hero_stats(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[MarketHeroStats, Meta]:
        """
        Get headline market figures.

        Use it to get headline figures for the whole market in one call.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample
        data from fictional providers.
        """
        return self._call("marketHeroStats", {}, options)

    def market_boe_rate(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[MarketBoeRate, Meta]:
        """
        Get the Bank of England's Bank Rate and its history.

        Real data for both live and test keys. `stale` is true if the last confirmed day is more than a week ago.

        Use it to get the current or a past Bank Rate.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged.
        """
        return self._call("marketBoeRate", {}, options)

    def market_ecb_rate(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[MarketEcbRate, Meta]:
        """
        Get the European Central Bank's three key rates and their history.

        Real data for both live and test keys. `stale` is true if the last confirmed day is more than a week ago.

        Use it to get current or past euro area key rates.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged.
        """
        return self._call("marketEcbRate", {}, options)

    def market_inflation(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[MarketInflation, Meta]:
        """
        Get UK inflation: CPI, CPIH and RPI, latest and by month.

        Real data for both live and test keys. `asOf` is the last day of the latest CPI month; source, licence and
        `stale` refer to CPI.

        Use it to compare a rate with inflation.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged.
        """
        return self._call("marketInflation", {}, options)

    def snapshots_list(
        self,
        *,
        dataset: Literal["rates", "providers", "switch-offers"] | None = None,
        day: Day | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[Snapshot], ListMeta]:
        """
        List the daily snapshot files of the whole market, newest first.

        A file is stored each day after the morning import and kept for 30 days.

        Use it to find the URL, size and price of a file with the whole market; download it with a plain HTTP client.

        Free. Works with any key.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            dataset: Only files of this list.
            day: Only files of this day, UK time.
        """
        return self._call("snapshotsList", {"dataset": dataset, "day": day}, options)

    def usage_list(
        self,
        *,
        from_: Day | None = None,
        to: Day | None = None,
        key: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[UsageField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[Usage], ListMeta]:
        """
        List calls and credits by day, key, endpoint and status.

        Days are in UTC, oldest first. Without the scope `account:manage`, only the usage of the calling key is listed;
        with it, the usage of every key of the account. The figures match the usage page of the portal and its CSV file.
        Calls made in the last few seconds may not be included yet.

        Free. Works with any key.

        Open to live and test keys.

        Args:
            from_: First UTC day, inclusive. Defaults to 29 days before `to`.
            to: Last UTC day, inclusive. Defaults to today. At most 92 days are listed at a time.
            key: Only the usage of the key with this ID (`key.id` in /me).
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return self._call("usageList", {"from": from_, "to": to, "key": key, "limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_usage_list(
        self,
        *,
        from_: Day | None = None,
        to: Day | None = None,
        key: str | None = None,
        limit: int | None = None,
        fields: Sequence[UsageField] | None = None,
        options: PageOptions | None = None,
    ) -> Pagination[Usage]:
        """
        Iterates over the rows of all pages: see ``usage_list``. ``limit`` is the number of rows per page.
        """
        return self._iterate("usageList", {"from": from_, "to": to, "key": key, "limit": limit, "fields": fields}, options)

    def webhooks_list(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[list[Webhook], ListMeta]:
        """
        List your webhook endpoints.

        Live keys manage live endpoints, and test keys manage test endpoints. An account can have up to 20 endpoints.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.
        """
        return self._call("webhooksList", {}, options)

    def webhooks_create(
        self,
        *,
        url: str,
        types: Sequence[Literal["rate.changed", "product.added", "product.withdrawn", "switch_offer.changed", "balance.low", "alert.matched"]],
        description: str | Unset = UNSET,
        providers: Sequence[str] | Unset = UNSET,
        account_types: Sequence[Literal["easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"]] | Unset = UNSET,
        min_change: str | None | Unset = UNSET,
        options: CallOptions | None = None,
    ) -> Answer[CreatedWebhook, Meta]:
        """
        Create a webhook endpoint.

        The response contains the signing secret, which is not shown again. The URL must be public: private and reserved
        addresses are rejected.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            url: Public HTTPS URL that events are sent to.
            description: Name for your own use.
            types: Event types that the endpoint receives.
            providers: Only events of these providers, by slug. Empty for all.
            account_types: Only events of products of these account types. Empty for all.
            min_change: Minimum change for rate.changed, in percentage points. Null for any change.
        """
        return self._call("webhooksCreate", {"url": url, "description": description, "types": types, "providers": providers, "accountTypes": account_types, "minChange": min_change}, options)

    def webhooks_get(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[Webhook, Meta]:
        """
        Get a webhook endpoint.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the webhook endpoint.
        """
        return self._call("webhooksGet", {"id": id}, options)

    def webhooks_update(
        self,
        id: str,
        *,
        url: str | Unset = UNSET,
        description: str | Unset = UNSET,
        types: Sequence[Literal["rate.changed", "product.added", "product.withdrawn", "switch_offer.changed", "balance.low", "alert.matched"]] | Unset = UNSET,
        providers: Sequence[str] | Unset = UNSET,
        account_types: Sequence[Literal["easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"]] | Unset = UNSET,
        min_change: str | None | Unset = UNSET,
        options: CallOptions | None = None,
    ) -> Answer[Webhook, Meta]:
        """
        Change the settings of a webhook endpoint.

        Only the fields in the body change. The change applies from the next delivery.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the webhook endpoint.
            url: Public HTTPS URL that events are sent to.
            description: Name for your own use.
            types: Event types that the endpoint receives.
            providers: Only events of these providers, by slug. Empty for all.
            account_types: Only events of products of these account types. Empty for all.
            min_change: Minimum change for rate.changed, in percentage points. Null for any change.
        """
        return self._call("webhooksUpdate", {"id": id, "url": url, "description": description, "types": types, "providers": providers, "accountTypes": account_types, "minChange": min_change}, options)

    def webhooks_delete(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[DeletedObject, Meta]:
        """
        Delete a webhook endpoint.

        Waiting deliveries are cancelled.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the webhook endpoint.
        """
        return self._call("webhooksDelete", {"id": id}, options)

    def webhooks_rotate_secret(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[RotatedWebhookSecret, Meta]:
        """
        Rotate the signing secret of a webhook endpoint.

        The response contains the new secret, which is not shown again. For 24 hours, deliveries are signed with both
        secrets.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the webhook endpoint.
        """
        return self._call("webhooksRotateSecret", {"id": id}, options)

    def webhooks_pause(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[Webhook, Meta]:
        """
        Pause a webhook endpoint.

        Events are queued until you resume the endpoint.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the webhook endpoint.
        """
        return self._call("webhooksPause", {"id": id}, options)

    def webhooks_resume(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[Webhook, Meta]:
        """
        Resume a webhook endpoint.

        Sends the waiting deliveries in order. Also re-enables an endpoint that the service disabled.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the webhook endpoint.
        """
        return self._call("webhooksResume", {"id": id}, options)

    def webhooks_test(
        self,
        id: str,
        *,
        type: Literal["rate.changed", "product.added", "product.withdrawn", "switch_offer.changed", "balance.low", "alert.matched"] | Unset = UNSET,
        options: CallOptions | None = None,
    ) -> Answer[TestDelivery, Meta]:
        """
        Send a test event to a webhook endpoint.

        Test events contain sample data, are signed and retried like other events, and are free. Limited to ten test
        events a minute per endpoint and 30 per account.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the webhook endpoint.
            type: Event type. Defaults to the first type of the endpoint.
        """
        return self._call("webhooksTest", {"id": id, "type": type}, options)

    def webhooks_deliveries(
        self,
        *,
        webhook: str | None = None,
        state: Literal["waiting", "delivered", "dead", "cancelled"] | None = None,
        type: Literal["rate.changed", "product.added", "product.withdrawn", "switch_offer.changed", "balance.low", "alert.matched"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[WebhookDeliveryField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[WebhookDelivery], ListMeta]:
        """
        List the deliveries of your webhook endpoints, newest first.

        Finished deliveries are kept for 30 days.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            webhook: Only deliveries to this webhook endpoint.
            state: Only deliveries in this state.
            type: Only deliveries of this event type.
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return self._call("webhooksDeliveries", {"webhook": webhook, "state": state, "type": type, "limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_webhooks_deliveries(
        self,
        *,
        webhook: str | None = None,
        state: Literal["waiting", "delivered", "dead", "cancelled"] | None = None,
        type: Literal["rate.changed", "product.added", "product.withdrawn", "switch_offer.changed", "balance.low", "alert.matched"] | None = None,
        limit: int | None = None,
        fields: Sequence[WebhookDeliveryField] | None = None,
        options: PageOptions | None = None,
    ) -> Pagination[WebhookDelivery]:
        """
        Iterates over the rows of all pages: see ``webhooks_deliveries``. ``limit`` is the number of rows per page.
        """
        return self._iterate("webhooksDeliveries", {"webhook": webhook, "state": state, "type": type, "limit": limit, "fields": fields}, options)

    def webhooks_delivery(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[WebhookDeliveryDetails, Meta]:
        """
        Get a delivery with its data and attempts.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the delivery.
        """
        return self._call("webhooksDelivery", {"id": id}, options)

    def webhooks_redeliver(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[QueuedDelivery, Meta]:
        """
        Redeliver a finished delivery.

        The event and delivery IDs stay the same. An event that was already charged is not charged again. Limited to
        10,000 redeliveries an hour per endpoint and 20,000 per account.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the delivery.
        """
        return self._call("webhooksRedeliver", {"id": id}, options)

    def webhooks_events(
        self,
        *,
        webhook: str | None = None,
        type: Literal["rate.changed", "product.added", "product.withdrawn", "switch_offer.changed", "balance.low", "alert.matched"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[SentEventField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[SentEvent], ListMeta]:
        """
        List the events that were sent to your webhook endpoints, with their data, newest first.

        One row for each delivery. Live market events are listed once they have been delivered and charged. Free events
        (test events, events about the account and events of test endpoints) are listed immediately. Reading events is
        never charged. `savings-rates listen` forwards them to your own machine.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            webhook: Only events sent to this webhook endpoint.
            type: Only events of this type.
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return self._call("webhooksEvents", {"webhook": webhook, "type": type, "limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_webhooks_events(
        self,
        *,
        webhook: str | None = None,
        type: Literal["rate.changed", "product.added", "product.withdrawn", "switch_offer.changed", "balance.low", "alert.matched"] | None = None,
        limit: int | None = None,
        fields: Sequence[SentEventField] | None = None,
        options: PageOptions | None = None,
    ) -> Pagination[SentEvent]:
        """
        Iterates over the rows of all pages: see ``webhooks_events``. ``limit`` is the number of rows per page.
        """
        return self._iterate("webhooksEvents", {"webhook": webhook, "type": type, "limit": limit, "fields": fields}, options)

    def webhooks_samples(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[list[SampleEvent], ListMeta]:
        """
        List an example of each event type, with data from the sample market.

        Nothing is sent. Test events have the same data.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.
        """
        return self._call("webhooksSamples", {}, options)

    def alerts_list(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[list[Alert], ListMeta]:
        """
        List your market alerts.

        Oldest first. Live keys list the alerts shown in the portal. Test keys list test alerts, which track the sample
        market and send emails but no webhooks.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.
        """
        return self._call("alertsList", {}, options)

    def alerts_create(
        self,
        *,
        name: str,
        kind: Literal["products", "providers", "bank-rate"],
        filter: str | Unset = UNSET,
        providers: Sequence[str] | Unset = UNSET,
        frequency: Literal["immediate", "daily"] | Unset = UNSET,
        email: bool | Unset = UNSET,
        webhook: bool | Unset = UNSET,
        options: CallOptions | None = None,
    ) -> Answer[Alert, Meta]:
        """
        Create a market alert.

        The alert reports only changes made after it is created. Your plan limits the number of alerts.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            name: Name of the alert, used as the subject of its emails.
            kind: What the alert tracks: products that match the filter (`products`), the products of certain providers
                (`providers`) or Bank Rate (`bank-rate`).
            filter: Filters of /rates as a query string, such as `type=easy-access&minRate=4.6`. Only for alerts of kind
                `products`, which need at least one filter.
            providers: Provider slugs. Only for alerts of kind `providers`, which need at least one slug.
            frequency: When emails are sent: as soon as changes are found (`immediate`), or once a day at 08:00 UK time
                with the changes of all daily alerts (`daily`).
            email: True to email the owner of the alert: the member who created the key or, if that member can no longer
                manage alerts, the account owner.
            webhook: True to send alert.matched to the webhook endpoints that are subscribed to it.
        """
        return self._call("alertsCreate", {"name": name, "kind": kind, "filter": filter, "providers": providers, "frequency": frequency, "email": email, "webhook": webhook}, options)

    def alerts_get(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[Alert, Meta]:
        """
        Get a market alert.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the alert.
        """
        return self._call("alertsGet", {"id": id}, options)

    def alerts_update(
        self,
        id: str,
        *,
        name: str | Unset = UNSET,
        kind: Literal["products", "providers", "bank-rate"] | Unset = UNSET,
        filter: str | Unset = UNSET,
        providers: Sequence[str] | Unset = UNSET,
        frequency: Literal["immediate", "daily"] | Unset = UNSET,
        email: bool | Unset = UNSET,
        webhook: bool | Unset = UNSET,
        state: Literal["active", "paused"] | Unset = UNSET,
        options: CallOptions | None = None,
    ) -> Answer[Alert, Meta]:
        """
        Change, pause or resume a market alert.

        Only the fields in the body change. If you change what the alert tracks, it reports only later changes.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the alert.
            name: Name of the alert, used as the subject of its emails.
            kind: What the alert tracks: products that match the filter (`products`), the products of certain providers
                (`providers`) or Bank Rate (`bank-rate`).
            filter: Filters of /rates as a query string, such as `type=easy-access&minRate=4.6`. Only for alerts of kind
                `products`, which need at least one filter.
            providers: Provider slugs. Only for alerts of kind `providers`, which need at least one slug.
            frequency: When emails are sent: as soon as changes are found (`immediate`), or once a day at 08:00 UK time
                with the changes of all daily alerts (`daily`).
            email: True to email the owner of the alert: the member who created the key or, if that member can no longer
                manage alerts, the account owner.
            webhook: True to send alert.matched to the webhook endpoints that are subscribed to it.
            state: A paused alert reports nothing. Once resumed, it reports only later changes.
        """
        return self._call("alertsUpdate", {"id": id, "name": name, "kind": kind, "filter": filter, "providers": providers, "frequency": frequency, "email": email, "webhook": webhook, "state": state}, options)

    def alerts_delete(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[DeletedObject, Meta]:
        """
        Delete a market alert.

        Its notifications are deleted too.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the alert.
        """
        return self._call("alertsDelete", {"id": id}, options)


class AsyncOperations(ABC):
    """One method for each endpoint of the API."""

    @abstractmethod
    async def _call(self, name: str, given: Mapping[str, Any], options: CallOptions | None) -> Answer[Any, Any]: ...

    @abstractmethod
    def _iterate(self, name: str, given: Mapping[str, Any], options: PageOptions | None) -> AsyncPagination[Any]: ...

    async def service_ping(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[Ping, Meta]:
        """
        Check that the API is reachable, and get the mode of the key.

        Use it to check a key or that the API is reachable.

        Free. Works with any key.

        Open to live and test keys.
        """
        return await self._call("servicePing", {}, options)

    async def service_me(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[Me, Meta]:
        """
        Get the account, its balance, limits and usage, and the endpoints this key can call.

        Use it to check the balance, the limits and the available endpoints before making paid calls.

        Free. Works with any key.

        Open to live and test keys.
        """
        return await self._call("serviceMe", {}, options)

    async def reference_providers(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[list[ReferenceProvider], ListMeta]:
        """
        List the slugs and names of all active providers.

        Use it to find the slug of a provider, which other tools accept as `provider` or `slug`.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `providers:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.
        """
        return await self._call("referenceProviders", {}, options)

    async def reference_products(
        self,
        *,
        type: Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"] | None = None,
        provider: str | None = None,
        min_term_months: int | None = None,
        max_term_months: int | None = None,
        max_notice_days: int | None = None,
        access: str | None = None,
        interest_paid: Literal["daily", "monthly", "quarterly", "half-yearly", "annually", "at-maturity"] | None = None,
        new_customers_only: bool | None = None,
        fscs_group: str | None = None,
        q: str | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[ReferenceProduct], ListMeta]:
        """
        List the keys and names of all products.

        Use it to find the sourceKey of a product by name; much cheaper than listing rates.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            type: Account type. Default: "all".
            provider: Slug of a provider, as in /reference/providers.
            min_term_months: Minimum term in months. Excludes products without a term.
            max_term_months: Maximum term in months. Excludes products without a term.
            max_notice_days: Maximum notice period in days. Excludes products without a notice period.
            access: Phrase contained in the withdrawal terms (`access`). Case-insensitive.
            interest_paid: Interest payment frequency.
            new_customers_only: `true` lists only accounts for new customers, `false` only accounts open to everyone.
            fscs_group: Licence group of the provider, as `licenceGroup` in /providers. The providers of a group share
                one protection limit.
            q: Words in the name of the account or provider. Matches the start of words and tolerates one or two typos.
        """
        return await self._call("referenceProducts", {"type": type, "provider": provider, "minTermMonths": min_term_months, "maxTermMonths": max_term_months, "maxNoticeDays": max_notice_days, "access": access, "interestPaid": interest_paid, "newCustomersOnly": new_customers_only, "fscsGroup": fscs_group, "q": q}, options)

    async def reference_cards(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[list[ReferenceCard], ListMeta]:
        """
        List the keys and names of all cards.

        Use it to find the sourceKey of a card by name.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `cards:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.
        """
        return await self._call("referenceCards", {}, options)

    async def reference_currencies(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[list[Currency], ListMeta]:
        """
        List the currencies supported by cards and exchange rates.

        Use it to find the codes for `currency`.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `cards:read`.

        Open to live and test keys.
        """
        return await self._call("referenceCurrencies", {}, options)

    async def reference_account_types(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[list[AccountType], ListMeta]:
        """
        List the account types.

        Use it to find the values of `type` and their meaning.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.

        Open to live and test keys.
        """
        return await self._call("referenceAccountTypes", {}, options)

    async def reference_fscs(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[list[FscsBrand], ListMeta]:
        """
        List deposit protection limits and the brands that share them.

        Use it to check how much is protected, or which brands share one limit, before splitting money between banks.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `providers:read`.

        Open to live and test keys.
        """
        return await self._call("referenceFscs", {}, options)

    async def rates_list(
        self,
        *,
        type: Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"] | None = None,
        provider: str | None = None,
        amount: Amount | None = None,
        payable: Literal["now"] | None = None,
        min_rate: Amount | None = None,
        max_rate: Amount | None = None,
        min_balance: Amount | None = None,
        source_key: str | Sequence[str] | None = None,
        min_term_months: int | None = None,
        max_term_months: int | None = None,
        max_notice_days: int | None = None,
        access: str | None = None,
        interest_paid: Literal["daily", "monthly", "quarterly", "half-yearly", "annually", "at-maturity"] | None = None,
        new_customers_only: bool | None = None,
        fscs_group: str | None = None,
        q: str | None = None,
        updated_since: Time | None = None,
        withdrawn: Literal["include"] | None = None,
        as_of: Day | None = None,
        sort: Literal["-rate", "rate", "provider", "updatedAt", "-updatedAt", "minBalance", "-minBalance"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[SavingsProductField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[SavingsProduct], ListMeta]:
        """
        List savings products, best rate first.

        Pages stay consistent while rates change: no product is skipped or repeated. The exception is sorting by
        updatedAt: a product that changes meanwhile moves to the end and may be returned twice. Charged per row, not per
        page.

        Use it to find the best savings accounts by account type, provider, amount, term or name.

        Costs 1 credit per row (10p per row). Test keys are never charged. Needs the scope `rates:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            type: Account type. Default: "all".
            provider: Slug of a provider, as in /reference/providers.
            amount: Balance in GBP: only products that accept it are listed. `matchReasons` says whether the amount has
                to be paid in over time. At most two decimals.
            payable: Use `now` to exclude products that cannot accept the whole amount immediately: regular savers with
                a lower monthly limit, and ISAs with a lower yearly allowance. Needs `amount`.
            min_rate: Minimum rate in percent, including the bonus. At most two decimals.
            max_rate: Maximum rate in percent, including the bonus. At most two decimals.
            min_balance: Opening balance in GBP. Only products that can be opened with it are listed. At most two
                decimals.
            source_key: Product keys separated by commas, at most 50. Unknown and withdrawn products are left out. Set
                limit to the number of keys.
            min_term_months: Minimum term in months. Excludes products without a term.
            max_term_months: Maximum term in months. Excludes products without a term.
            max_notice_days: Maximum notice period in days. Excludes products without a notice period.
            access: Phrase contained in the withdrawal terms (`access`). Case-insensitive.
            interest_paid: Interest payment frequency.
            new_customers_only: `true` lists only accounts for new customers, `false` only accounts open to everyone.
            fscs_group: Licence group of the provider, as `licenceGroup` in /providers. The providers of a group share
                one protection limit.
            q: Words in the name of the account or provider. Matches the start of words and tolerates one or two typos.
            updated_since: Return only rows with a later updatedAt (ISO 8601, UTC). Pass meta.updatedUntil from your
                last update to get every change since.
            withdrawn: Use `include` to return rows withdrawn after updatedSince too, with withdrawnAt set. Needs
                updatedSince, at most 90 days ago.
            as_of: Date, UK time: returns the market as it was after that morning's import. Today or up to 30 days ago;
                /snapshots lists the available days. Enterprise plan only.
            sort: Sort order. A leading hyphen means descending. Default: "-rate". Ties are broken by sourceKey.
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return await self._call("ratesList", {"type": type, "provider": provider, "amount": amount, "payable": payable, "minRate": min_rate, "maxRate": max_rate, "minBalance": min_balance, "sourceKey": source_key, "minTermMonths": min_term_months, "maxTermMonths": max_term_months, "maxNoticeDays": max_notice_days, "access": access, "interestPaid": interest_paid, "newCustomersOnly": new_customers_only, "fscsGroup": fscs_group, "q": q, "updatedSince": updated_since, "withdrawn": withdrawn, "asOf": as_of, "sort": sort, "limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_rates_list(
        self,
        *,
        type: Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"] | None = None,
        provider: str | None = None,
        amount: Amount | None = None,
        payable: Literal["now"] | None = None,
        min_rate: Amount | None = None,
        max_rate: Amount | None = None,
        min_balance: Amount | None = None,
        source_key: str | Sequence[str] | None = None,
        min_term_months: int | None = None,
        max_term_months: int | None = None,
        max_notice_days: int | None = None,
        access: str | None = None,
        interest_paid: Literal["daily", "monthly", "quarterly", "half-yearly", "annually", "at-maturity"] | None = None,
        new_customers_only: bool | None = None,
        fscs_group: str | None = None,
        q: str | None = None,
        updated_since: Time | None = None,
        withdrawn: Literal["include"] | None = None,
        as_of: Day | None = None,
        sort: Literal["-rate", "rate", "provider", "updatedAt", "-updatedAt", "minBalance", "-minBalance"] | None = None,
        limit: int | None = None,
        fields: Sequence[SavingsProductField] | None = None,
        options: PageOptions | None = None,
    ) -> AsyncPagination[SavingsProduct]:
        """
        Iterates over the rows of all pages: see ``rates_list``. ``limit`` is the number of rows per page.
        """
        return self._iterate("ratesList", {"type": type, "provider": provider, "amount": amount, "payable": payable, "minRate": min_rate, "maxRate": max_rate, "minBalance": min_balance, "sourceKey": source_key, "minTermMonths": min_term_months, "maxTermMonths": max_term_months, "maxNoticeDays": max_notice_days, "access": access, "interestPaid": interest_paid, "newCustomersOnly": new_customers_only, "fscsGroup": fscs_group, "q": q, "updatedSince": updated_since, "withdrawn": withdrawn, "asOf": as_of, "sort": sort, "limit": limit, "fields": fields}, options)

    async def rates_get(
        self,
        source_key: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[SavingsProduct, Meta]:
        """
        Get a savings product.

        Use it to get the current terms of a product by its sourceKey.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            source_key: Stable product ID.
        """
        return await self._call("ratesGet", {"sourceKey": source_key}, options)

    async def rates_link(
        self,
        source_key: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[ProductLink, Meta]:
        """
        Get the URL of a product's page on the provider's site.

        Use it to send someone to the page where they can open the account.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            source_key: Stable product ID.
        """
        return await self._call("ratesLink", {"sourceKey": source_key}, options)

    async def history_list(
        self,
        *,
        type: Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"] | None = None,
        provider: str | None = None,
        source_key: str | None = None,
        from_: Day | None = None,
        to: Day | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[RateChangeField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[RateChange], ListMeta]:
        """
        List savings rate changes, newest first.

        Includes launches and withdrawals of products. The order never changes, so pages neither skip nor repeat a
        change. Charged per row, not per page.

        Use it to see when and by how much a product's rate changed.

        Costs 2 credits per row (20p per row). Test keys are never charged. Needs the scope `history:read`. Live keys
        need the Enterprise plan; on a lower plan they get `plan_upgrade_required` and are not charged.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            type: Account type. Default: "all".
            provider: Slug of a provider, as in /reference/providers.
            source_key: Only this product, listed or withdrawn.
            from_: First effective date, inclusive.
            to: Last effective date, inclusive.
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return await self._call("historyList", {"type": type, "provider": provider, "sourceKey": source_key, "from": from_, "to": to, "limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_history_list(
        self,
        *,
        type: Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"] | None = None,
        provider: str | None = None,
        source_key: str | None = None,
        from_: Day | None = None,
        to: Day | None = None,
        limit: int | None = None,
        fields: Sequence[RateChangeField] | None = None,
        options: PageOptions | None = None,
    ) -> AsyncPagination[RateChange]:
        """
        Iterates over the rows of all pages: see ``history_list``. ``limit`` is the number of rows per page.
        """
        return self._iterate("historyList", {"type": type, "provider": provider, "sourceKey": source_key, "from": from_, "to": to, "limit": limit, "fields": fields}, options)

    async def history_components(
        self,
        *,
        type: Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"] | None = None,
        provider: str | None = None,
        source_key: str | None = None,
        from_: Day | None = None,
        to: Day | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[RateComponentsField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[RateComponents], ListMeta]:
        """
        List base rates and bonuses by period, newest first.

        Each row is the period between two changes of a product. `from` and `to` filter by its first day. Charged per
        row, not per page.

        Use it to see the base rate and bonus of a product over time.

        Costs 2 credits per row (20p per row). Test keys are never charged. Needs the scope `history:read`. Live keys
        need the Enterprise plan; on a lower plan they get `plan_upgrade_required` and are not charged.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            type: Account type. Default: "all".
            provider: Slug of a provider, as in /reference/providers.
            source_key: Only this product, listed or withdrawn.
            from_: First effective date, inclusive.
            to: Last effective date, inclusive.
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return await self._call("historyComponents", {"type": type, "provider": provider, "sourceKey": source_key, "from": from_, "to": to, "limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_history_components(
        self,
        *,
        type: Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"] | None = None,
        provider: str | None = None,
        source_key: str | None = None,
        from_: Day | None = None,
        to: Day | None = None,
        limit: int | None = None,
        fields: Sequence[RateComponentsField] | None = None,
        options: PageOptions | None = None,
    ) -> AsyncPagination[RateComponents]:
        """
        Iterates over the rows of all pages: see ``history_components``. ``limit`` is the number of rows per page.
        """
        return self._iterate("historyComponents", {"type": type, "provider": provider, "sourceKey": source_key, "from": from_, "to": to, "limit": limit, "fields": fields}, options)

    async def rate_trends(
        self,
        *,
        type: Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"] | None = None,
        provider: str | None = None,
        source_key: str | None = None,
        days: int | None = None,
        from_: Day | None = None,
        fields: Sequence[RateTrendField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[RateTrend], ListMeta]:
        """
        Get savings rate trends as time series.

        Returns the best, average and median rate by account type, for the whole market or one provider; for a product,
        its own rate. Points are one day apart in windows of up to 92 days, one week apart up to 731 days, and four
        weeks apart in longer ones. The last point is today.

        Use it to see how rates have moved over months.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `history:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample
        data from fictional providers.

        Args:
            type: Account type. Default: "all".
            provider: Slug of a provider, to include only its products.
            source_key: Only this product, listed or withdrawn.
            days: Length of the window in days, ending today. Default: 365.
            from_: First day of the window. Alternative to "days".
            fields: Fields to return in each row. Default: all.
        """
        return await self._call("rateTrends", {"type": type, "provider": provider, "sourceKey": source_key, "days": days, "from": from_, "fields": fields}, options)

    async def providers_list(
        self,
        *,
        updated_since: Time | None = None,
        withdrawn: Literal["include"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[ProviderField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[Provider], ListMeta]:
        """
        List providers by name, with product counts and shared licences.

        Charged per row, not per page.

        Use it to compare banks and building societies rather than their products.

        Costs 1 credit per row (10p per row). Test keys are never charged. Needs the scope `providers:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            updated_since: Return only rows with a later updatedAt (ISO 8601, UTC). Pass meta.updatedUntil from your
                last update to get every change since.
            withdrawn: Use `include` to return rows withdrawn after updatedSince too, with withdrawnAt set. Needs
                updatedSince, at most 90 days ago.
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return await self._call("providersList", {"updatedSince": updated_since, "withdrawn": withdrawn, "limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_providers_list(
        self,
        *,
        updated_since: Time | None = None,
        withdrawn: Literal["include"] | None = None,
        limit: int | None = None,
        fields: Sequence[ProviderField] | None = None,
        options: PageOptions | None = None,
    ) -> AsyncPagination[Provider]:
        """
        Iterates over the rows of all pages: see ``providers_list``. ``limit`` is the number of rows per page.
        """
        return self._iterate("providersList", {"updatedSince": updated_since, "withdrawn": withdrawn, "limit": limit, "fields": fields}, options)

    async def providers_get(
        self,
        slug: str,
        *,
        as_of: Day | None = None,
        options: CallOptions | None = None,
    ) -> Answer[ProviderWithProducts, Meta]:
        """
        Get a provider and its savings products.

        Use it to get a provider and everything it offers; look up its slug with reference_providers.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `providers:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            slug: Slug of the provider, as in /reference/providers.
            as_of: Date, UK time: returns the market as it was after that morning's import. Today or up to 30 days ago;
                /snapshots lists the available days. Enterprise plan only.
        """
        return await self._call("providersGet", {"slug": slug, "asOf": as_of}, options)

    async def providers_service_quality(
        self,
        slug: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[ServiceQuality, Meta]:
        """
        Get customer ratings of a provider by survey and region.

        Surveys cover current account providers: `surveys` is empty for others. `cassParticipant` on /providers shows
        which providers have current accounts.

        Use it to check how satisfied a bank's customers are before recommending it.

        Costs 2 credits (20p). Test keys are never charged. Needs the scope `providers:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            slug: Slug of the provider, as in /reference/providers.
        """
        return await self._call("providersServiceQuality", {"slug": slug}, options)

    async def switch_offers(
        self,
        *,
        updated_since: Time | None = None,
        withdrawn: Literal["include"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[SwitchOfferField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[SwitchOffer], ListMeta]:
        """
        List bonuses for switching current accounts, highest first.

        Ended offers are omitted. Charged per row, not per page.

        Use it to find bonuses for switching a current account, and their terms.

        Costs 1 credit per row (10p per row). Test keys are never charged. Needs the scope `offers:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            updated_since: Return only rows with a later updatedAt (ISO 8601, UTC). Pass meta.updatedUntil from your
                last update to get every change since.
            withdrawn: Use `include` to return rows withdrawn after updatedSince too, with withdrawnAt set. Needs
                updatedSince, at most 90 days ago.
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return await self._call("switchOffers", {"updatedSince": updated_since, "withdrawn": withdrawn, "limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_switch_offers(
        self,
        *,
        updated_since: Time | None = None,
        withdrawn: Literal["include"] | None = None,
        limit: int | None = None,
        fields: Sequence[SwitchOfferField] | None = None,
        options: PageOptions | None = None,
    ) -> AsyncPagination[SwitchOffer]:
        """
        Iterates over the rows of all pages: see ``switch_offers``. ``limit`` is the number of rows per page.
        """
        return self._iterate("switchOffers", {"updatedSince": updated_since, "withdrawn": withdrawn, "limit": limit, "fields": fields}, options)

    async def account_offers(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[AccountOfferField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[AccountOffer], ListMeta]:
        """
        List offers for opening a current account.

        Sorted by offerKey; ended offers are omitted. Charged per page, regardless of size.

        Use it to find the benefits of opening a current account.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `offers:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample
        data from fictional providers.

        Args:
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return await self._call("accountOffers", {"limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_account_offers(
        self,
        *,
        limit: int | None = None,
        fields: Sequence[AccountOfferField] | None = None,
        options: PageOptions | None = None,
    ) -> AsyncPagination[AccountOffer]:
        """
        Iterates over the rows of all pages: see ``account_offers``. ``limit`` is the number of rows per page.
        """
        return self._iterate("accountOffers", {"limit": limit, "fields": fields}, options)

    async def cards_rewards(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[RewardCardField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[RewardCard], ListMeta]:
        """
        List reward cards and their terms.

        Sorted by sourceKey. Charged per page, regardless of size.

        Use it to compare cards by cashback, points and fees.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `cards:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample
        data from fictional providers.

        Args:
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return await self._call("cardsRewards", {"limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_cards_rewards(
        self,
        *,
        limit: int | None = None,
        fields: Sequence[RewardCardField] | None = None,
        options: PageOptions | None = None,
    ) -> AsyncPagination[RewardCard]:
        """
        Iterates over the rows of all pages: see ``cards_rewards``. ``limit`` is the number of rows per page.
        """
        return self._iterate("cardsRewards", {"limit": limit, "fields": fields}, options)

    async def cards_travel(
        self,
        *,
        currency: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[TravelCardField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[TravelCard], ListMeta]:
        """
        List travel cards and their fees, lowest foreign transaction fee first.

        With `currency`, only cards that support it are listed. `costPer100` includes fees only, not the card's
        exchange-rate margin. Charged per page, regardless of size.

        Use it to compare cards by their fees abroad.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `cards:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample
        data from fictional providers.

        Args:
            currency: Currency code, as in /reference/currencies. Only cards that support it are listed.
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return await self._call("cardsTravel", {"currency": currency, "limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_cards_travel(
        self,
        *,
        currency: str | None = None,
        limit: int | None = None,
        fields: Sequence[TravelCardField] | None = None,
        options: PageOptions | None = None,
    ) -> AsyncPagination[TravelCard]:
        """
        Iterates over the rows of all pages: see ``cards_travel``. ``limit`` is the number of rows per page.
        """
        return self._iterate("cardsTravel", {"currency": currency, "limit": limit, "fields": fields}, options)

    async def assets_provider(
        self,
        slug: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[ProviderAsset, Meta]:
        """
        Get the logo of a provider.

        Returns 404 without a charge if the provider has no logo.

        Use it to display the logo of a provider; not needed for text answers.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `providers:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            slug: Slug of the provider, as in /reference/providers.
        """
        return await self._call("assetsProvider", {"slug": slug}, options)

    async def assets_card(
        self,
        source_key: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[CardAsset, Meta]:
        """
        Get the image of a card.

        Use it to display the image of a card; not needed for text answers.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `cards:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample
        data from fictional providers.

        Args:
            source_key: Stable card ID, as in /reference/cards.
        """
        return await self._call("assetsCard", {"sourceKey": source_key}, options)

    async def simulate(
        self,
        *,
        months: int,
        source_key: str | None = None,
        rate: Amount | None = None,
        amount: Amount | None = None,
        balance: Amount | None = None,
        options: CallOptions | None = None,
    ) -> Answer[Simulation, Meta]:
        """
        Simulate the growth of a balance in a product.

        Uses the product's actual terms: its AER is converted to a rate per interest payment, an introductory bonus ends
        after its duration, and a fixed rate ends at maturity. A plain rate compounds annually. Interest is rounded half
        up to the penny at each credit.

        Use it to calculate how a balance grows in a product, including its bonus and term.

        Costs 2 credits (20p). Test keys are never charged. Needs the scope `rates:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            source_key: Stable product ID. Give either this or "rate".
            rate: Plain yearly rate in percent, such as 4.50. Give either this or "sourceKey". At most two decimals.
            amount: Opening balance, in GBP. At most two decimals.
            balance: Alias of "amount". Give only one of them. At most two decimals.
            months: Number of months.
        """
        return await self._call("simulate", {"sourceKey": source_key, "rate": rate, "amount": amount, "balance": balance, "months": months}, options)

    async def calculators_savings_tax(
        self,
        *,
        income: Amount,
        interest: Amount,
        tax_year: Literal["2023-24", "2024-25", "2025-26", "2026-27", "2027-28"] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[SavingsTax, Meta]:
        """
        Calculate the tax on savings interest.

        Tax on a year of savings interest for a UK taxpayer: personal allowance and taper, starting rate, personal
        savings allowance and the rates of the tax year.

        Use it to calculate how much tax someone owes on savings interest.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            income: Taxable income in the year in GBP before tax, excluding savings interest and dividends. At most two
                decimals.
            interest: Savings interest in the year in GBP, excluding ISA interest. At most two decimals.
            tax_year: Tax year, from 6 April to 5 April, such as 2026-27. Default: the current tax year, UK time.
        """
        return await self._call("calculatorsSavingsTax", {"income": income, "interest": interest, "taxYear": tax_year}, options)

    async def calculators_isa_allowance(
        self,
        *,
        used: Amount | None = None,
        cash: Amount | None = None,
        stocks_shares: Amount | None = None,
        innovative_finance: Amount | None = None,
        lifetime: Amount | None = None,
        withdrawn: Amount | None = None,
        flexible: bool | None = None,
        age: int | None = None,
        tax_year: Literal["2023-24", "2024-25", "2025-26", "2026-27", "2027-28"] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[IsaAllowance, Meta]:
        """
        Calculate the remaining ISA allowance.

        Give either "used", the total paid into adult ISAs in the tax year, or the amounts by type. If you give neither,
        the calculation assumes that nothing has been paid in.

        Use it to check how much can still be paid into ISAs this tax year.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            used: Total paid into ISAs in the tax year, in GBP. At most two decimals.
            cash: Paid into cash ISAs in the tax year, in GBP. At most two decimals.
            stocks_shares: Paid into stocks and shares ISAs in the tax year, in GBP. At most two decimals.
            innovative_finance: Paid into innovative finance ISAs in the tax year, in GBP. At most two decimals.
            lifetime: Paid into a lifetime ISA in the tax year, in GBP, excluding the bonus. At most two decimals.
            withdrawn: Withdrawn from ISAs in the tax year, in GBP. At most two decimals.
            flexible: True if the ISA withdrawn from is flexible. Default: false.
            age: Age in whole years: at least 18, or 16 in 2023-24, when cash ISAs were open from that age.
            tax_year: Tax year, from 6 April to 5 April, such as 2026-27. Default: the current tax year, UK time.
        """
        return await self._call("calculatorsIsaAllowance", {"used": used, "cash": cash, "stocksShares": stocks_shares, "innovativeFinance": innovative_finance, "lifetime": lifetime, "withdrawn": withdrawn, "flexible": flexible, "age": age, "taxYear": tax_year}, options)

    async def calculators_savings_growth(
        self,
        *,
        amount: Amount,
        rate: Amount,
        months: int,
        monthly: Amount | None = None,
        inflation: Amount | None = None,
        options: CallOptions | None = None,
    ) -> Answer[SavingsGrowth, Meta]:
        """
        Calculate the growth of savings at a given rate.

        An opening amount, with optional monthly deposits, at a rate that compounds annually.

        Use it to calculate how savings grow at a known or assumed rate.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            amount: Opening amount, in GBP. At most two decimals.
            rate: Yearly rate in percent, such as 4.50. At most two decimals.
            months: Number of months.
            monthly: Deposit at the start of every month, in GBP. Default: 0. At most two decimals.
            inflation: Yearly inflation in percent. If given, the response includes the end balance in today's money. At
                most two decimals.
        """
        return await self._call("calculatorsSavingsGrowth", {"amount": amount, "rate": rate, "months": months, "monthly": monthly, "inflation": inflation}, options)

    async def calculators_regular_saver(
        self,
        *,
        monthly: Amount,
        rate: Amount,
        months: int,
        options: CallOptions | None = None,
    ) -> Answer[RegularSaver, Meta]:
        """
        Calculate the interest on a regular saver.

        The same deposit at the start of every month; interest is calculated on each deposit.

        Use it to calculate the interest on monthly deposits.

        Costs 1 credit (10p). Test keys are never charged. Needs the scope `rates:read`.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            monthly: Deposit at the start of every month, in GBP. At most two decimals.
            rate: Yearly rate in percent, such as 7.00. At most two decimals.
            months: Number of months.
        """
        return await self._call("calculatorsRegularSaver", {"monthly": monthly, "rate": rate, "months": months}, options)

    async def fx_rates(
        self,
        *,
        currency: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[ExchangeRateField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[ExchangeRate], ListMeta]:
        """
        List the latest exchange rate of each currency against the pound.

        Real data for both live and test keys: indicative mid-market or reference rates, not card rates. Sorted by
        currency code. Currencies without a published rate are omitted. Charged per page, regardless of size.

        Use it to convert between pounds and another currency.

        Costs 1 credit (10p). Test keys are never charged. Needs one of these scopes: `cards:read`, `market:read`.

        Open to live and test keys.

        Args:
            currency: Only this currency, a code from /reference/currencies. Currencies without a rate, such as GBP (the
                base), return an empty page, which is charged like any other; omit `currency` to see which have one.
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return await self._call("fxRates", {"currency": currency, "limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_fx_rates(
        self,
        *,
        currency: str | None = None,
        limit: int | None = None,
        fields: Sequence[ExchangeRateField] | None = None,
        options: PageOptions | None = None,
    ) -> AsyncPagination[ExchangeRate]:
        """
        Iterates over the rows of all pages: see ``fx_rates``. ``limit`` is the number of rows per page.
        """
        return self._iterate("fxRates", {"currency": currency, "limit": limit, "fields": fields}, options)

    async def cards_fx_history(
        self,
        *,
        currency: str | None = None,
        from_: Day | None = None,
        to: Day | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[ExchangeRateOfDayField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[ExchangeRateOfDay], ListMeta]:
        """
        List historical exchange rates of the pound, newest first.

        Real data for both live and test keys, up to three years back. Without `currency`, all currencies are listed for
        each day, sorted by code. Days without a published rate are omitted. Bundled rates, used until newer ones are
        fetched, are monthly or quarterly from March 2024 and weekly from 15 September 2026. Charged per page,
        regardless of size.

        Use it to see how the pound has moved against a currency.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `cards:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged.

        Args:
            currency: Only this currency, a code from /reference/currencies. Currencies without a rate, such as GBP (the
                base), return an empty page, which is charged like any other; omit `currency` to see which have one.
            from_: First day, inclusive.
            to: Last day, inclusive.
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return await self._call("cardsFxHistory", {"currency": currency, "from": from_, "to": to, "limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_cards_fx_history(
        self,
        *,
        currency: str | None = None,
        from_: Day | None = None,
        to: Day | None = None,
        limit: int | None = None,
        fields: Sequence[ExchangeRateOfDayField] | None = None,
        options: PageOptions | None = None,
    ) -> AsyncPagination[ExchangeRateOfDay]:
        """
        Iterates over the rows of all pages: see ``cards_fx_history``. ``limit`` is the number of rows per page.
        """
        return self._iterate("cardsFxHistory", {"currency": currency, "from": from_, "to": to, "limit": limit, "fields": fields}, options)

    async def market_overview(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[MarketOverview, Meta]:
        """
        Get an overview of the savings market compared with Bank Rate and inflation.

        Counts of rate rises and cuts use dates in UK time and match the rows of /history. A rate equal to Bank Rate or
        CPI does not beat it.

        Use it to see how good savings rates are now, compared with Bank Rate and inflation.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample
        data from fictional providers.
        """
        return await self._call("marketOverview", {}, options)

    async def market_averages(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[MarketAverageField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[MarketAverage], ListMeta]:
        """
        List average rates by account type and term, with Bank of England averages for comparison.

        All products have the same weight, and rates include bonuses. The Bank of England's quoted rates are weighted
        averages of a smaller market, so ours are usually higher. `limit=50` returns all rows on one page.

        Use it to see whether a rate is above or below average for its account type.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample
        data from fictional providers.

        Args:
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return await self._call("marketAverages", {"limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_market_averages(
        self,
        *,
        limit: int | None = None,
        fields: Sequence[MarketAverageField] | None = None,
        options: PageOptions | None = None,
    ) -> AsyncPagination[MarketAverage]:
        """
        Iterates over the rows of all pages: see ``market_averages``. ``limit`` is the number of rows per page.
        """
        return self._iterate("marketAverages", {"limit": limit, "fields": fields}, options)

    async def market_category_stats(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[CategoryStatsField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[CategoryStats], ListMeta]:
        """
        Get summary statistics by account type.

        One row per account type, including types without products.

        Use it to compare account types.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample
        data from fictional providers.

        Args:
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return await self._call("marketCategoryStats", {"limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_market_category_stats(
        self,
        *,
        limit: int | None = None,
        fields: Sequence[CategoryStatsField] | None = None,
        options: PageOptions | None = None,
    ) -> AsyncPagination[CategoryStats]:
        """
        Iterates over the rows of all pages: see ``market_category_stats``. ``limit`` is the number of rows per page.
        """
        return self._iterate("marketCategoryStats", {"limit": limit, "fields": fields}, options)

    async def market_card_stats(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[CardStatsField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[CardStats], ListMeta]:
        """
        Get summary statistics for reward and travel cards.

        Two rows: rewards, then travel. Points, miles and vouchers do not count as cashback.

        Use it to see what cards typically offer and charge.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample
        data from fictional providers.

        Args:
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return await self._call("marketCardStats", {"limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_market_card_stats(
        self,
        *,
        limit: int | None = None,
        fields: Sequence[CardStatsField] | None = None,
        options: PageOptions | None = None,
    ) -> AsyncPagination[CardStats]:
        """
        Iterates over the rows of all pages: see ``market_card_stats``. ``limit`` is the number of rows per page.
        """
        return self._iterate("marketCardStats", {"limit": limit, "fields": fields}, options)

    async def market_hero_stats(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[MarketHeroStats, Meta]:
        """
        Get headline market figures.

        Use it to get headline figures for the whole market in one call.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged. Test keys read sample
        data from fictional providers.
        """
        return await self._call("marketHeroStats", {}, options)

    async def market_boe_rate(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[MarketBoeRate, Meta]:
        """
        Get the Bank of England's Bank Rate and its history.

        Real data for both live and test keys. `stale` is true if the last confirmed day is more than a week ago.

        Use it to get the current or a past Bank Rate.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged.
        """
        return await self._call("marketBoeRate", {}, options)

    async def market_ecb_rate(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[MarketEcbRate, Meta]:
        """
        Get the European Central Bank's three key rates and their history.

        Real data for both live and test keys. `stale` is true if the last confirmed day is more than a week ago.

        Use it to get current or past euro area key rates.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged.
        """
        return await self._call("marketEcbRate", {}, options)

    async def market_inflation(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[MarketInflation, Meta]:
        """
        Get UK inflation: CPI, CPIH and RPI, latest and by month.

        Real data for both live and test keys. `asOf` is the last day of the latest CPI month; source, licence and
        `stale` refer to CPI.

        Use it to compare a rate with inflation.

        Costs 5 credits (50p). Test keys are never charged. Needs the scope `market:read`.

        Open to test keys only for now: live keys get `endpoint_restricted` and are not charged.
        """
        return await self._call("marketInflation", {}, options)

    async def snapshots_list(
        self,
        *,
        dataset: Literal["rates", "providers", "switch-offers"] | None = None,
        day: Day | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[Snapshot], ListMeta]:
        """
        List the daily snapshot files of the whole market, newest first.

        A file is stored each day after the morning import and kept for 30 days.

        Use it to find the URL, size and price of a file with the whole market; download it with a plain HTTP client.

        Free. Works with any key.

        Open to live and test keys. Test keys read sample data from fictional providers.

        Args:
            dataset: Only files of this list.
            day: Only files of this day, UK time.
        """
        return await self._call("snapshotsList", {"dataset": dataset, "day": day}, options)

    async def usage_list(
        self,
        *,
        from_: Day | None = None,
        to: Day | None = None,
        key: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[UsageField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[Usage], ListMeta]:
        """
        List calls and credits by day, key, endpoint and status.

        Days are in UTC, oldest first. Without the scope `account:manage`, only the usage of the calling key is listed;
        with it, the usage of every key of the account. The figures match the usage page of the portal and its CSV file.
        Calls made in the last few seconds may not be included yet.

        Free. Works with any key.

        Open to live and test keys.

        Args:
            from_: First UTC day, inclusive. Defaults to 29 days before `to`.
            to: Last UTC day, inclusive. Defaults to today. At most 92 days are listed at a time.
            key: Only the usage of the key with this ID (`key.id` in /me).
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return await self._call("usageList", {"from": from_, "to": to, "key": key, "limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_usage_list(
        self,
        *,
        from_: Day | None = None,
        to: Day | None = None,
        key: str | None = None,
        limit: int | None = None,
        fields: Sequence[UsageField] | None = None,
        options: PageOptions | None = None,
    ) -> AsyncPagination[Usage]:
        """
        Iterates over the rows of all pages: see ``usage_list``. ``limit`` is the number of rows per page.
        """
        return self._iterate("usageList", {"from": from_, "to": to, "key": key, "limit": limit, "fields": fields}, options)

    async def webhooks_list(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[list[Webhook], ListMeta]:
        """
        List your webhook endpoints.

        Live keys manage live endpoints, and test keys manage test endpoints. An account can have up to 20 endpoints.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.
        """
        return await self._call("webhooksList", {}, options)

    async def webhooks_create(
        self,
        *,
        url: str,
        types: Sequence[Literal["rate.changed", "product.added", "product.withdrawn", "switch_offer.changed", "balance.low", "alert.matched"]],
        description: str | Unset = UNSET,
        providers: Sequence[str] | Unset = UNSET,
        account_types: Sequence[Literal["easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"]] | Unset = UNSET,
        min_change: str | None | Unset = UNSET,
        options: CallOptions | None = None,
    ) -> Answer[CreatedWebhook, Meta]:
        """
        Create a webhook endpoint.

        The response contains the signing secret, which is not shown again. The URL must be public: private and reserved
        addresses are rejected.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            url: Public HTTPS URL that events are sent to.
            description: Name for your own use.
            types: Event types that the endpoint receives.
            providers: Only events of these providers, by slug. Empty for all.
            account_types: Only events of products of these account types. Empty for all.
            min_change: Minimum change for rate.changed, in percentage points. Null for any change.
        """
        return await self._call("webhooksCreate", {"url": url, "description": description, "types": types, "providers": providers, "accountTypes": account_types, "minChange": min_change}, options)

    async def webhooks_get(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[Webhook, Meta]:
        """
        Get a webhook endpoint.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the webhook endpoint.
        """
        return await self._call("webhooksGet", {"id": id}, options)

    async def webhooks_update(
        self,
        id: str,
        *,
        url: str | Unset = UNSET,
        description: str | Unset = UNSET,
        types: Sequence[Literal["rate.changed", "product.added", "product.withdrawn", "switch_offer.changed", "balance.low", "alert.matched"]] | Unset = UNSET,
        providers: Sequence[str] | Unset = UNSET,
        account_types: Sequence[Literal["easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"]] | Unset = UNSET,
        min_change: str | None | Unset = UNSET,
        options: CallOptions | None = None,
    ) -> Answer[Webhook, Meta]:
        """
        Change the settings of a webhook endpoint.

        Only the fields in the body change. The change applies from the next delivery.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the webhook endpoint.
            url: Public HTTPS URL that events are sent to.
            description: Name for your own use.
            types: Event types that the endpoint receives.
            providers: Only events of these providers, by slug. Empty for all.
            account_types: Only events of products of these account types. Empty for all.
            min_change: Minimum change for rate.changed, in percentage points. Null for any change.
        """
        return await self._call("webhooksUpdate", {"id": id, "url": url, "description": description, "types": types, "providers": providers, "accountTypes": account_types, "minChange": min_change}, options)

    async def webhooks_delete(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[DeletedObject, Meta]:
        """
        Delete a webhook endpoint.

        Waiting deliveries are cancelled.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the webhook endpoint.
        """
        return await self._call("webhooksDelete", {"id": id}, options)

    async def webhooks_rotate_secret(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[RotatedWebhookSecret, Meta]:
        """
        Rotate the signing secret of a webhook endpoint.

        The response contains the new secret, which is not shown again. For 24 hours, deliveries are signed with both
        secrets.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the webhook endpoint.
        """
        return await self._call("webhooksRotateSecret", {"id": id}, options)

    async def webhooks_pause(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[Webhook, Meta]:
        """
        Pause a webhook endpoint.

        Events are queued until you resume the endpoint.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the webhook endpoint.
        """
        return await self._call("webhooksPause", {"id": id}, options)

    async def webhooks_resume(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[Webhook, Meta]:
        """
        Resume a webhook endpoint.

        Sends the waiting deliveries in order. Also re-enables an endpoint that the service disabled.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the webhook endpoint.
        """
        return await self._call("webhooksResume", {"id": id}, options)

    async def webhooks_test(
        self,
        id: str,
        *,
        type: Literal["rate.changed", "product.added", "product.withdrawn", "switch_offer.changed", "balance.low", "alert.matched"] | Unset = UNSET,
        options: CallOptions | None = None,
    ) -> Answer[TestDelivery, Meta]:
        """
        Send a test event to a webhook endpoint.

        Test events contain sample data, are signed and retried like other events, and are free. Limited to ten test
        events a minute per endpoint and 30 per account.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the webhook endpoint.
            type: Event type. Defaults to the first type of the endpoint.
        """
        return await self._call("webhooksTest", {"id": id, "type": type}, options)

    async def webhooks_deliveries(
        self,
        *,
        webhook: str | None = None,
        state: Literal["waiting", "delivered", "dead", "cancelled"] | None = None,
        type: Literal["rate.changed", "product.added", "product.withdrawn", "switch_offer.changed", "balance.low", "alert.matched"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[WebhookDeliveryField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[WebhookDelivery], ListMeta]:
        """
        List the deliveries of your webhook endpoints, newest first.

        Finished deliveries are kept for 30 days.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            webhook: Only deliveries to this webhook endpoint.
            state: Only deliveries in this state.
            type: Only deliveries of this event type.
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return await self._call("webhooksDeliveries", {"webhook": webhook, "state": state, "type": type, "limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_webhooks_deliveries(
        self,
        *,
        webhook: str | None = None,
        state: Literal["waiting", "delivered", "dead", "cancelled"] | None = None,
        type: Literal["rate.changed", "product.added", "product.withdrawn", "switch_offer.changed", "balance.low", "alert.matched"] | None = None,
        limit: int | None = None,
        fields: Sequence[WebhookDeliveryField] | None = None,
        options: PageOptions | None = None,
    ) -> AsyncPagination[WebhookDelivery]:
        """
        Iterates over the rows of all pages: see ``webhooks_deliveries``. ``limit`` is the number of rows per page.
        """
        return self._iterate("webhooksDeliveries", {"webhook": webhook, "state": state, "type": type, "limit": limit, "fields": fields}, options)

    async def webhooks_delivery(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[WebhookDeliveryDetails, Meta]:
        """
        Get a delivery with its data and attempts.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the delivery.
        """
        return await self._call("webhooksDelivery", {"id": id}, options)

    async def webhooks_redeliver(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[QueuedDelivery, Meta]:
        """
        Redeliver a finished delivery.

        The event and delivery IDs stay the same. An event that was already charged is not charged again. Limited to
        10,000 redeliveries an hour per endpoint and 20,000 per account.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the delivery.
        """
        return await self._call("webhooksRedeliver", {"id": id}, options)

    async def webhooks_events(
        self,
        *,
        webhook: str | None = None,
        type: Literal["rate.changed", "product.added", "product.withdrawn", "switch_offer.changed", "balance.low", "alert.matched"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: Sequence[SentEventField] | None = None,
        options: CallOptions | None = None,
    ) -> Answer[list[SentEvent], ListMeta]:
        """
        List the events that were sent to your webhook endpoints, with their data, newest first.

        One row for each delivery. Live market events are listed once they have been delivered and charged. Free events
        (test events, events about the account and events of test endpoints) are listed immediately. Reading events is
        never charged. `savings-rates listen` forwards them to your own machine.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            webhook: Only events sent to this webhook endpoint.
            type: Only events of this type.
            limit: Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value.
            cursor: Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields
                may change.
            fields: Fields to return in each row. Default: all.
        """
        return await self._call("webhooksEvents", {"webhook": webhook, "type": type, "limit": limit, "cursor": cursor, "fields": fields}, options)

    def iter_webhooks_events(
        self,
        *,
        webhook: str | None = None,
        type: Literal["rate.changed", "product.added", "product.withdrawn", "switch_offer.changed", "balance.low", "alert.matched"] | None = None,
        limit: int | None = None,
        fields: Sequence[SentEventField] | None = None,
        options: PageOptions | None = None,
    ) -> AsyncPagination[SentEvent]:
        """
        Iterates over the rows of all pages: see ``webhooks_events``. ``limit`` is the number of rows per page.
        """
        return self._iterate("webhooksEvents", {"webhook": webhook, "type": type, "limit": limit, "fields": fields}, options)

    async def webhooks_samples(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[list[SampleEvent], ListMeta]:
        """
        List an example of each event type, with data from the sample market.

        Nothing is sent. Test events have the same data.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.
        """
        return await self._call("webhooksSamples", {}, options)

    async def alerts_list(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Answer[list[Alert], ListMeta]:
        """
        List your market alerts.

        Oldest first. Live keys list the alerts shown in the portal. Test keys list test alerts, which track the sample
        market and send emails but no webhooks.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.
        """
        return await self._call("alertsList", {}, options)

    async def alerts_create(
        self,
        *,
        name: str,
        kind: Literal["products", "providers", "bank-rate"],
        filter: str | Unset = UNSET,
        providers: Sequence[str] | Unset = UNSET,
        frequency: Literal["immediate", "daily"] | Unset = UNSET,
        email: bool | Unset = UNSET,
        webhook: bool | Unset = UNSET,
        options: CallOptions | None = None,
    ) -> Answer[Alert, Meta]:
        """
        Create a market alert.

        The alert reports only changes made after it is created. Your plan limits the number of alerts.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            name: Name of the alert, used as the subject of its emails.
            kind: What the alert tracks: products that match the filter (`products`), the products of certain providers
                (`providers`) or Bank Rate (`bank-rate`).
            filter: Filters of /rates as a query string, such as `type=easy-access&minRate=4.6`. Only for alerts of kind
                `products`, which need at least one filter.
            providers: Provider slugs. Only for alerts of kind `providers`, which need at least one slug.
            frequency: When emails are sent: as soon as changes are found (`immediate`), or once a day at 08:00 UK time
                with the changes of all daily alerts (`daily`).
            email: True to email the owner of the alert: the member who created the key or, if that member can no longer
                manage alerts, the account owner.
            webhook: True to send alert.matched to the webhook endpoints that are subscribed to it.
        """
        return await self._call("alertsCreate", {"name": name, "kind": kind, "filter": filter, "providers": providers, "frequency": frequency, "email": email, "webhook": webhook}, options)

    async def alerts_get(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[Alert, Meta]:
        """
        Get a market alert.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the alert.
        """
        return await self._call("alertsGet", {"id": id}, options)

    async def alerts_update(
        self,
        id: str,
        *,
        name: str | Unset = UNSET,
        kind: Literal["products", "providers", "bank-rate"] | Unset = UNSET,
        filter: str | Unset = UNSET,
        providers: Sequence[str] | Unset = UNSET,
        frequency: Literal["immediate", "daily"] | Unset = UNSET,
        email: bool | Unset = UNSET,
        webhook: bool | Unset = UNSET,
        state: Literal["active", "paused"] | Unset = UNSET,
        options: CallOptions | None = None,
    ) -> Answer[Alert, Meta]:
        """
        Change, pause or resume a market alert.

        Only the fields in the body change. If you change what the alert tracks, it reports only later changes.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the alert.
            name: Name of the alert, used as the subject of its emails.
            kind: What the alert tracks: products that match the filter (`products`), the products of certain providers
                (`providers`) or Bank Rate (`bank-rate`).
            filter: Filters of /rates as a query string, such as `type=easy-access&minRate=4.6`. Only for alerts of kind
                `products`, which need at least one filter.
            providers: Provider slugs. Only for alerts of kind `providers`, which need at least one slug.
            frequency: When emails are sent: as soon as changes are found (`immediate`), or once a day at 08:00 UK time
                with the changes of all daily alerts (`daily`).
            email: True to email the owner of the alert: the member who created the key or, if that member can no longer
                manage alerts, the account owner.
            webhook: True to send alert.matched to the webhook endpoints that are subscribed to it.
            state: A paused alert reports nothing. Once resumed, it reports only later changes.
        """
        return await self._call("alertsUpdate", {"id": id, "name": name, "kind": kind, "filter": filter, "providers": providers, "frequency": frequency, "email": email, "webhook": webhook, "state": state}, options)

    async def alerts_delete(
        self,
        id: str,
        *,
        options: CallOptions | None = None,
    ) -> Answer[DeletedObject, Meta]:
        """
        Delete a market alert.

        Its notifications are deleted too.

        Free. Needs the scope `account:manage`.

        Open to live and test keys.

        Args:
            id: ID of the alert.
        """
        return await self._call("alertsDelete", {"id": id}, options)
