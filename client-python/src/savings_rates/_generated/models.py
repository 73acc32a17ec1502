# Made by `npm run client:generate` from the OpenAPI document of the service. Do not edit.
"""Records of the API."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, Union


class SavingsProduct(TypedDict):
    #: Stable product ID. Store this rather than the name.
    sourceKey: str
    #: Display name of the provider.
    provider: str
    #: Slug of the provider, as in /reference/providers.
    providerSlug: str
    #: Display name of the account.
    accountName: str
    #: Display label of the account type.
    accountType: str
    #: AER in percent with two decimals, including the bonus.
    rate: str
    #: Rate excluding the bonus, in percent.
    baseRate: str
    #: Bonus rate in percent; 0.00 if there is no bonus.
    boostRate: str
    #: Duration of the bonus, for example "12 months"; null if there is no bonus.
    boostDuration: str | None
    #: Interest payment frequency.
    interestPaid: str
    #: Variable or fixed.
    interestType: str
    #: Withdrawal terms.
    access: str
    #: Minimum balance in GBP.
    minBalance: float
    #: Maximum balance in GBP; null if there is none.
    maxBalance: float | None
    #: Maximum monthly deposit in GBP; null if there is none.
    maxMonthlyDeposit: float | None
    #: Deposit protection statement.
    fscsDetails: str
    #: True if only new customers can apply.
    newCustomersOnly: bool
    #: URL of the product's page on this site.
    depositscoutUrl: str
    #: Why the product matched, one sentence per reason.
    matchReasons: list[str]
    #: Time of the last change to the product, UTC.
    updatedAt: str
    #: Term in months; null if there is none.
    termMonths: int | None
    #: Notice period in days; null if there is none.
    noticeDays: int | None
    #: Maximum number of withdrawals a year; 0 if none are allowed, null if no limit is stated.
    withdrawalsPerYear: int | None
    #: Date on which the account matures; null if there is none, or if it depends on the day of opening.
    maturityDate: str | None
    #: First day of the current listing, UK time; null if unknown.
    listedSince: str | None
    #: On lists with withdrawn=include: time of the withdrawal, ISO 8601 UTC, or null if the record is still listed.
    #: Otherwise null.
    withdrawnAt: str | None
    #: URL of the provider's logo; Enterprise plan only.
    providerLogoUrl: NotRequired[str | None]


class RateChange(TypedDict):
    #: Immutable ID of the change, hst_….
    id: str
    #: Stable product ID.
    sourceKey: str
    #: Display name of the provider.
    provider: str
    #: Slug of the provider.
    providerSlug: str
    #: Name of the account at the time.
    accountName: str
    #: Display label of the account type.
    accountType: str
    previousRate: str | None
    newRate: str | None
    #: Difference between the new and the previous rate in percentage points, signed, for example "-0.25"; null for a
    #: launch or withdrawal.
    rateChange: str | None
    #: Direction of the change; `unchanged` if the base rate or the bonus changed, but not their total.
    direction: Literal["up", "down", "launched", "withdrawn", "unchanged"]
    #: Date the change took effect. ISO 8601 date.
    effectiveDate: str
    #: Time the change was detected, ISO 8601 UTC.
    detectedAt: str
    previousEffectiveDate: str | None
    #: Days since the product's previous change; null for its first.
    daysSincePreviousChange: int | None
    bankRateAtChange: str | None
    #: URL of the provider's logo; Enterprise plan only.
    providerLogoUrl: NotRequired[str | None]


class SwitchOffer(TypedDict):
    #: Stable ID of the offer.
    offerKey: str
    #: Display name of the provider.
    provider: str
    #: Slug of the provider; null if it is not in the rates data.
    providerSlug: str | None
    #: Absolute URL of the provider's logo; null if it has none.
    logoUrl: str | None
    #: Name of the account.
    accountName: str
    #: Type of account holder.
    accountKind: Literal["personal", "joint", "student", "business"]
    #: Bonus for switching. In GBP with two decimals.
    bonusAmount: str
    #: Form of the bonus.
    bonusType: Literal["cash", "cashback", "gift", "interest-boost", "points"]
    totalValue: str | None
    #: Extras, in plain English.
    extraBenefits: list[str]
    minPayIn: str | None
    #: Time limit for the pay-in. In days; null if there is none.
    payInWithinDays: int | None
    #: Frequency of the pay-in; null if there is none.
    payInFrequency: Literal["once", "monthly"] | None
    #: Minimum number of active direct debits.
    minDirectDebits: int
    #: True if the direct debits must transfer with the switch.
    directDebitsMustTransfer: bool
    #: Minimum number of card payments.
    minCardPayments: int
    #: Time limit for the card payments. In days; null if there is none.
    cardPaymentsWithinDays: int | None
    #: True if customers must log in online or in the app.
    digitalLoginRequired: bool
    #: Monthly account fee. In GBP with two decimals.
    monthlyFee: str
    minAnnualIncome: str | None
    #: Time limit for completing the switch. In days; null if there is none.
    switchWithinDays: int | None
    #: True if a full switch is required, which closes the old account.
    fullSwitchRequired: bool
    #: True if the switch uses the Current Account Switch Service.
    cassParticipant: bool
    #: Time until the bonus is paid after the conditions are met. In days; null if there is none.
    payoutWithinDays: int | None
    #: First day of the offer; in the future for an announced offer. ISO 8601 date.
    startDate: str
    endDate: str | None
    #: True if only new customers are eligible.
    newCustomersOnly: bool
    excludedIfHeldSince: str | None
    #: True if customers who had an earlier switching bonus are excluded.
    previousBonusExcluded: bool
    previousBonusSince: str | None
    #: Eligibility conditions, in plain English.
    eligibility: list[str]
    #: Exclusions, in plain English.
    exclusions: list[str]
    #: URL of the offer's terms.
    termsUrl: str
    #: General note about the offer, for example that it is fictional; null if there is none.
    note: str | None
    #: Status of the offer today (UK time); `ending-soon` in its last 14 days.
    status: Literal["live", "ending-soon", "ended"]
    #: Time of the last change to the record, ISO 8601 UTC.
    updatedAt: str
    #: On lists with withdrawn=include: time of the withdrawal, ISO 8601 UTC, or null if the record is still listed.
    #: Otherwise null.
    withdrawnAt: str | None


class Meta(TypedDict):
    #: Request ID, also sent in the X-SVC-Request-Id header.
    requestId: str
    #: Time the response was built. A cached response keeps its original time.
    generatedAt: str
    #: Credits charged for this request.
    creditsCharged: int
    #: Balance after this request.
    creditsBalance: int
    #: Attribution line that the Data Licence requires you to show with the data.
    attribution: str
    #: True if the data is sample data (test keys).
    sample: bool


class ListMeta(TypedDict):
    #: Request ID, also sent in the X-SVC-Request-Id header.
    requestId: str
    #: Time the response was built. A cached response keeps its original time.
    generatedAt: str
    #: Credits charged for this request.
    creditsCharged: int
    #: Balance after this request.
    creditsBalance: int
    #: Attribution line that the Data Licence requires you to show with the data.
    attribution: str
    #: On lists: applied page size, which is lower than requested if the request exceeded the maximum or the credits
    #: that you can spend.
    limit: int
    #: On lists: cursor of the next page, or null on the last page.
    nextCursor: str | None
    #: On /rates, /providers and /switch-offers: pass it as updatedSince next time to get every change since the first
    #: page of this list.
    updatedUntil: NotRequired[str]
    #: True if the data is sample data (test keys).
    sample: bool


class Ping(TypedDict):
    #: Always true: the API is reachable.
    ok: Literal[True]
    #: Mode of the key.
    mode: Literal["test", "live"]
    #: Same as meta.requestId.
    requestId: str


class MeAccount(TypedDict):
    "Account that the key belongs to."

    #: ID of the account, to quote to support.
    id: str
    #: Name chosen by the owner.
    name: str
    #: `open` (approved), `review` (not approved) or `blocked`.
    status: str
    #: Plan, which determines the limits and the endpoints available to live keys.
    plan: Literal["hobby", "business", "enterprise"]


class MeKey(TypedDict):
    "Key used for this request."

    #: ID of the key, as in the portal and the request log.
    id: str
    #: Test keys read sample data and are free; live keys read live data.
    mode: Literal["test", "live"]
    #: Key as shown in lists: mode and last four characters.
    prefix: str
    #: Scopes of the key.
    scopes: list[str]
    #: IP addresses and ranges that can use the key; empty allows all.
    ipAllowList: list[str]
    #: Time of creation, UTC.
    createdAt: str
    #: Time of expiry, UTC; null if the key does not expire.
    expiresAt: str | None


class MeBalance(TypedDict):
    "Balance of the account."

    #: Current balance in credits, exact.
    credits: int


class MeRateLimits(TypedDict):
    "Rate limits of this key."

    #: Requests per UTC minute for this key.
    perMinute: int
    #: Live requests per UTC day for the account; null for a test key, which has no daily limit.
    perDay: int | None


class MeUsage(TypedDict):
    "Usage of the account today."

    #: Time up to which requestsToday and creditsToday are complete.
    asOf: str
    #: Requests made with all keys of the account today (UTC), excluding rate-limited ones.
    requestsToday: int
    #: Credits charged for requests made with all keys of the account today (UTC).
    creditsToday: int
    #: Live requests that the account has left today (UTC), exact; null for a test key.
    remainingToday: int | None


class MeEndpointsItem(TypedDict):
    #: HTTP method.
    method: str
    #: Path after `/v1`, with parameters in braces.
    path: str
    #: Scope required by the endpoint, or any-key.
    scope: str
    #: Price in plain English.
    cost: str
    #: Keys that can call the endpoint: all, test keys only, or none yet.
    availability: Literal["open", "test-only", "coming-soon"]
    #: True if this key can call the endpoint now.
    callable: bool
    #: Error code that a call would return, or null.
    reason: str | None


class Me(TypedDict):
    #: Account that the key belongs to.
    account: MeAccount
    #: Key used for this request.
    key: MeKey
    #: Balance of the account.
    balance: MeBalance
    #: Rate limits of this key.
    rateLimits: MeRateLimits
    #: Usage of the account today.
    usage: MeUsage
    #: All endpoints, and whether this key can call them.
    endpoints: list[MeEndpointsItem]


class ReferenceProvider(TypedDict):
    #: Stable key of the provider.
    slug: str
    #: Display name.
    name: str


class ReferenceProduct(TypedDict):
    #: Stable product ID.
    sourceKey: str
    #: Display name of the account.
    name: str
    #: Display name of the provider.
    provider: str
    #: Slug of the provider, as in /reference/providers.
    providerSlug: str
    #: Display label of the account type.
    accountType: str


class ReferenceCard(TypedDict):
    #: Stable card ID.
    sourceKey: str
    #: Display name of the card.
    name: str
    #: Display name of the provider.
    provider: str
    #: Slug of the provider; null if it is not in the rates data.
    providerSlug: str | None
    #: List that the card is on.
    list: Literal["rewards", "travel"]


class Currency(TypedDict):
    #: ISO 4217 code.
    code: str
    #: English name.
    name: str
    #: World region.
    region: str


class AccountType(TypedDict):
    #: Value of the `type` parameter.
    value: Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"]
    #: Display label, as in accountType.
    label: str
    #: Description of the account type, one sentence.
    description: str


class FscsBrand(TypedDict):
    #: Brand name.
    brand: str
    #: Firm that holds the deposits.
    legalName: str
    #: FCA firm reference number; null if not verified.
    frn: str | None
    #: Protection scheme.
    scheme: str
    #: Country of the firm.
    country: str
    #: Owner of the firm.
    owner: str
    #: Country of the owner.
    ownerCountry: str
    #: Other brands on the same licence, which share one limit.
    sharesLicenceWith: list[str]
    #: Brands with the same value share one limit.
    licenceGroup: str
    #: False for platforms and e-money firms.
    isBank: bool
    #: Protection limit per person in limitCurrency; null if unlimited or dependent on a partner bank; 0 if unprotected.
    limit: float | None
    #: ISO 4217 code.
    limitCurrency: str
    #: FSCS limit per person and licence, GBP; the same on every row. It applies only if fscsProtected is true; `limit`
    #: is the limit of this brand.
    fscsLimit: float
    #: FSCS limit for a joint account of two people, GBP.
    fscsJointLimit: float
    #: FSCS limit for a temporary high balance, GBP.
    temporaryHighBalanceLimit: float
    #: Number of months for which a temporary high balance is covered.
    temporaryHighBalanceMonths: float
    #: Slug of the brand in the rates data; null if it is not a provider there.
    providerSlug: str | None
    #: Date on which this list was last verified.
    verifiedOn: str
    #: Confidence in the row: high or medium.
    confidence: str
    #: Additional note, one sentence; null if there is none.
    note: str | None
    #: True if the FSCS protects deposits with this brand itself. False for e-money firms, platforms, NS&I and foreign
    #: schemes.
    fscsProtected: bool


class ProductLink(TypedDict):
    #: Stable product ID.
    sourceKey: str
    #: Display name of the provider.
    provider: str
    #: Slug of the provider, as in /reference/providers.
    providerSlug: str
    #: Display name of the account.
    accountName: str
    #: URL of the product's page on the provider's site.
    url: str
    #: Time the URL was last checked, UTC.
    checkedAt: str


class RateComponents(TypedDict):
    #: ID of the change that started the period, as in /history.
    id: str
    #: Stable product ID.
    sourceKey: str
    #: Display name of the provider.
    provider: str
    #: Slug of the provider.
    providerSlug: str
    #: Name of the account at the time.
    accountName: str
    #: Display label of the account type.
    accountType: str
    #: First day of the period. ISO 8601 date.
    effectiveFrom: str
    effectiveTo: str | None
    #: Rate excluding the bonus. In percent with two decimals.
    baseRate: str
    #: Bonus rate; 0.00 if there is no bonus. In percent with two decimals.
    boostRate: str
    #: Total of base rate and bonus, AER. In percent with two decimals.
    rate: str
    #: Duration of the bonus, for example "12 months"; null if there is no bonus.
    boostDuration: str | None
    boostEndsOn: str | None


class RateTrendPointsItem(TypedDict):
    #: Date of the point. ISO 8601 date.
    date: str
    #: Rate on that day. In percent with two decimals.
    value: str


class RateTrend(TypedDict):
    #: Stable ID of the series.
    seriesId: str
    #: Short description of the series.
    label: str
    #: Display label of the account type.
    accountType: str
    #: Slug of the provider whose products are included; null for the whole market.
    providerSlug: str | None
    #: ID of the product; null for a group of products.
    sourceKey: str | None
    #: Best, average or median rate of the products, or the rate of a single product.
    metric: Literal["best", "average", "median", "product"]
    #: Unit of every value.
    unit: Literal["percent"]
    #: Data points, oldest first; days without products are omitted.
    points: list[RateTrendPointsItem]
    #: Date of the first point. ISO 8601 date.
    first: str
    #: Date of the last point. ISO 8601 date.
    last: str
    #: Difference between the last and the first value in percentage points, signed, for example "-0.25".
    change: str
    #: URL of the provider's logo; Enterprise plan only.
    providerLogoUrl: NotRequired[str | None]


class Provider(TypedDict):
    #: Stable key of the provider, as in /reference/providers.
    slug: str
    #: Display name.
    name: str
    #: Absolute URL of the provider's logo; null if it has none.
    logoUrl: str | None
    #: Registered name of the firm.
    legalName: str
    #: FCA firm reference number as a string; null if unknown.
    frn: str | None
    #: Type of firm.
    providerType: Literal["bank", "building-society", "government", "platform", "e-money", "credit-union"]
    #: Home page of the provider.
    website: str
    #: Year founded; null if unknown.
    founded: int | None
    #: Town of the head office; null if unknown.
    headquarters: str | None
    #: Owner; null if unknown or none.
    ownerName: str | None
    #: Country of the owner, ISO 3166-1 alpha-2; null if unknown.
    ownerCountry: str | None
    #: Deposit protection scheme.
    protectionScheme: str
    protectionLimit: str | None
    #: Providers with the same value share one licence and one protection limit.
    licenceGroup: str
    #: Slugs of the other providers on the same licence.
    sharesLicenceWith: list[str]
    #: Average customer review score from 0.0 to 5.0, one decimal; null if there is none.
    trustScore: str | None
    #: Number of reviews behind trustScore; null if unknown.
    trustReviewCount: int | None
    #: Source of the reviews.
    trustSource: str | None
    trustAsOf: str | None
    #: Number of listed savings products.
    productCount: int
    topRate: str | None
    #: Account types of its products, as `type` on /rates.
    accountTypes: list[Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"]]
    #: True if the firm participates in the Current Account Switch Service.
    cassParticipant: bool
    #: Time of the last change to the record, ISO 8601 UTC.
    updatedAt: str
    #: On lists with withdrawn=include: time of the withdrawal, ISO 8601 UTC, or null if the record is still listed.
    #: Otherwise null.
    withdrawnAt: str | None


class ProviderWithProducts(TypedDict):
    #: Stable key of the provider, as in /reference/providers.
    slug: str
    #: Display name.
    name: str
    #: Absolute URL of the provider's logo; null if it has none.
    logoUrl: str | None
    #: Registered name of the firm.
    legalName: str
    #: FCA firm reference number as a string; null if unknown.
    frn: str | None
    #: Type of firm.
    providerType: Literal["bank", "building-society", "government", "platform", "e-money", "credit-union"]
    #: Home page of the provider.
    website: str
    #: Year founded; null if unknown.
    founded: int | None
    #: Town of the head office; null if unknown.
    headquarters: str | None
    #: Owner; null if unknown or none.
    ownerName: str | None
    #: Country of the owner, ISO 3166-1 alpha-2; null if unknown.
    ownerCountry: str | None
    #: Deposit protection scheme.
    protectionScheme: str
    protectionLimit: str | None
    #: Providers with the same value share one licence and one protection limit.
    licenceGroup: str
    #: Slugs of the other providers on the same licence.
    sharesLicenceWith: list[str]
    #: Average customer review score from 0.0 to 5.0, one decimal; null if there is none.
    trustScore: str | None
    #: Number of reviews behind trustScore; null if unknown.
    trustReviewCount: int | None
    #: Source of the reviews.
    trustSource: str | None
    trustAsOf: str | None
    #: Number of listed savings products.
    productCount: int
    topRate: str | None
    #: Account types of its products, as `type` on /rates.
    accountTypes: list[Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"]]
    #: True if the firm participates in the Current Account Switch Service.
    cassParticipant: bool
    #: Time of the last change to the record, ISO 8601 UTC.
    updatedAt: str
    #: On lists with withdrawn=include: time of the withdrawal, ISO 8601 UTC, or null if the record is still listed.
    #: Otherwise null.
    withdrawnAt: str | None
    #: Savings products, best rate first; at most 500.
    products: list[SavingsProduct]


class ServiceQualityProvider(TypedDict):
    "Provider that the surveys cover."

    #: Slug of the provider.
    slug: str
    #: Display name.
    name: str
    #: Absolute URL of the provider's logo; null if it has none.
    logoUrl: str | None


class ServiceQualitySurveysItemOverall(TypedDict):
    #: Percentage of respondents who are extremely or very likely to recommend the provider for this service.
    percent: int
    #: Rank among the scored providers, starting at 1.
    rank: int
    #: True if the rank is shared.
    jointRank: bool
    #: Number of providers scored.
    rankOf: int


class ServiceQualitySurveysItemOnlineAndMobile(TypedDict):
    #: Percentage of respondents who are extremely or very likely to recommend the provider for this service.
    percent: int
    #: Rank among the scored providers, starting at 1.
    rank: int
    #: True if the rank is shared.
    jointRank: bool
    #: Number of providers scored.
    rankOf: int


class ServiceQualitySurveysItemOverdraft(TypedDict):
    #: Percentage of respondents who are extremely or very likely to recommend the provider for this service.
    percent: int
    #: Rank among the scored providers, starting at 1.
    rank: int
    #: True if the rank is shared.
    jointRank: bool
    #: Number of providers scored.
    rankOf: int


class ServiceQualitySurveysItemBranch(TypedDict):
    #: Percentage of respondents who are extremely or very likely to recommend the provider for this service.
    percent: int
    #: Rank among the scored providers, starting at 1.
    rank: int
    #: True if the rank is shared.
    jointRank: bool
    #: Number of providers scored.
    rankOf: int


class ServiceQualitySurveysItem(TypedDict):
    #: Name of the survey.
    survey: str
    #: Publisher of the survey.
    publisher: str
    #: Great Britain or Northern Ireland.
    region: Literal["GB", "NI"]
    #: First day of the survey. ISO 8601 date.
    periodStart: str
    #: Last day of the survey. ISO 8601 date.
    periodEnd: str
    #: Date of publication. ISO 8601 date.
    publishedAt: str
    nextPublication: str | None
    #: Number of the provider's customers surveyed; null if unknown.
    sampleSize: int | None
    #: Number of providers in this region's survey.
    providersRanked: int
    #: Overall service quality. Null if there were fewer than 100 responses.
    overall: ServiceQualitySurveysItemOverall | None
    #: Online and mobile banking. Null if there were fewer than 100 responses.
    onlineAndMobile: ServiceQualitySurveysItemOnlineAndMobile | None
    #: Overdraft services. Null if there were fewer than 100 responses.
    overdraft: ServiceQualitySurveysItemOverdraft | None
    #: Services in branches; null if the bank has none. Null if there were fewer than 100 responses.
    branch: ServiceQualitySurveysItemBranch | None
    #: URL of the survey methodology.
    methodologyUrl: str
    #: Average days to open an account; null if unknown.
    accountOpeningDays: int | None
    #: Average days to replace a debit card; null if unknown.
    debitCardReplacementDays: int | None
    #: Major operational and security incidents in the last year; null if unknown.
    majorIncidentsLastYear: int | None
    #: Time of the last change to the record, ISO 8601 UTC.
    updatedAt: str


class ServiceQuality(TypedDict):
    #: Provider that the surveys cover.
    provider: ServiceQualityProvider
    #: Latest survey of each region, Great Britain first.
    surveys: list[ServiceQualitySurveysItem]


class AccountOffer(TypedDict):
    #: Stable ID of the offer.
    offerKey: str
    #: Display name of the provider.
    provider: str
    #: Slug of the provider; null if it is not in the rates data.
    providerSlug: str | None
    #: Absolute URL of the provider's logo; null if it has none.
    logoUrl: str | None
    #: Name of the account.
    accountName: str
    #: Account type: current-account, packaged, premium, student, graduate, children or basic.
    accountType: str
    #: One-line summary of the offer.
    headline: str
    creditInterestRate: str | None
    creditInterestMaxBalance: str | None
    cashbackRate: str | None
    #: Spending categories that earn cashback.
    cashbackCategories: list[str]
    cashbackCap: str | None
    #: Monthly account fee. In GBP with two decimals.
    monthlyFee: str
    overdraftRate: str | None
    overdraftInterestFreeAmount: str | None
    #: Duration of the introductory terms, such as "12 months"; null if they are permanent.
    introductoryPeriod: str | None
    minPayIn: str | None
    #: Minimum number of active direct debits; null if there is none.
    minDirectDebits: int | None
    linkedSaverRate: str | None
    #: First day of the offer. ISO 8601 date.
    startDate: str
    endDate: str | None
    #: True if only new customers are eligible.
    newCustomersOnly: bool
    #: URL of the offer's terms.
    termsUrl: str
    #: General note about the offer, for example that it is fictional; null if there is none.
    note: str | None
    #: Time of the last change to the record, ISO 8601 UTC.
    updatedAt: str


class RewardCardRewardTiersItem(TypedDict):
    #: Spend from which the tier applies. In GBP with two decimals.
    spendFrom: str
    spendTo: str | None
    #: Earn rate of the tier: percent for cashback, points per pound otherwise, two decimals.
    rate: str
    cap: str | None
    #: Period of the amount.
    period: Literal["day", "week", "month", "quarter", "year"]


class RewardCardWelcomeBonus(TypedDict):
    #: Description of the bonus, in plain English.
    description: str
    value: str | None
    #: Points or miles; null for other kinds of bonus.
    points: int | None
    spendRequired: str | None
    #: Days to reach the required spend; null if there is no time limit.
    withinDays: int | None


class RewardCardCashAdvanceFee(TypedDict):
    #: Percentage of the cash withdrawn. In percent with two decimals.
    percent: str
    #: Minimum fee. In GBP with two decimals.
    minimum: str


class RewardCard(TypedDict):
    #: Stable card ID, as in /reference/cards.
    sourceKey: str
    #: Name of the card.
    name: str
    #: Display name of the issuer.
    provider: str
    #: Slug of the issuer; null if it is not a provider in the rates data.
    providerSlug: str | None
    #: Absolute URL of the provider's logo; null if it has none.
    logoUrl: str | None
    #: Absolute URL of the card image; null if there is none.
    imageUrl: str | None
    #: Payment network.
    network: Literal["visa", "mastercard", "amex"]
    #: Type of card.
    cardType: Literal["credit", "charge", "debit", "prepaid"]
    #: Type of reward.
    rewardType: Literal["cashback", "points", "airmiles", "vouchers"]
    #: Name of the points or miles; null for cashback.
    rewardCurrencyName: str | None
    #: Standard earn rate: percent for cashback, points per pound otherwise, two decimals.
    earnRate: str
    #: Tiered earn rates; empty if earnRate applies to all spend.
    rewardTiers: list[RewardCardRewardTiersItem]
    introRate: str | None
    #: Duration of introRate in months; null if there is no introductory rate.
    introDurationMonths: int | None
    #: One-off bonus for new cardholders; null if there is none.
    welcomeBonus: RewardCardWelcomeBonus | None
    #: Annual fee. In GBP with two decimals.
    annualFee: str
    firstYearFee: str | None
    representativeApr: str | None
    purchaseRate: str | None
    minCreditLimit: str | None
    #: Foreign transaction fee; 0.00 if free. In percent with two decimals.
    fxFee: str
    #: Cash advance fee; null if unknown or none.
    cashAdvanceFee: RewardCardCashAdvanceFee | None
    minAnnualIncome: str | None
    estimatedAnnualValue: str | None
    #: Representative example; null if the card offers no credit.
    representativeExample: str | None
    #: True if only new customers can apply.
    newCustomersOnly: bool
    #: Time of the last change to the record, ISO 8601 UTC.
    updatedAt: str


class TravelCardAtmFreeLimit(TypedDict):
    #: Cash withdrawal amount without a fee. In GBP with two decimals.
    amount: str
    #: Period of the amount.
    period: Literal["day", "week", "month", "quarter", "year"]


class TravelCard(TypedDict):
    #: Stable card ID, as in /reference/cards.
    sourceKey: str
    #: Name of the card.
    name: str
    #: Display name of the issuer.
    provider: str
    #: Slug of the issuer; null if it is not a provider in the rates data.
    providerSlug: str | None
    #: Absolute URL of the provider's logo; null if it has none.
    logoUrl: str | None
    #: Absolute URL of the card image; null if there is none.
    imageUrl: str | None
    #: Payment network.
    network: Literal["visa", "mastercard", "amex"]
    #: Type of card.
    cardType: Literal["credit", "debit", "prepaid"]
    #: Foreign transaction fee; 0.00 if free. In percent with two decimals.
    fxFee: str
    weekendFxFee: str | None
    #: Cash withdrawal fee abroad; 0.00 if free. In percent with two decimals.
    atmFeePercent: str
    #: Minimum cash withdrawal fee. In GBP with two decimals.
    atmFeeMinimum: str
    #: Free cash withdrawal allowance; null if there is none.
    atmFreeLimit: TravelCardAtmFreeLimit | None
    #: True if cash withdrawals accrue interest from day one; null if the card offers no credit.
    cashInterestFromDay1: bool | None
    cashRate: str | None
    representativeApr: str | None
    #: Annual fee. In GBP with two decimals.
    annualFee: str
    #: Source of the exchange rate.
    exchangeRateSource: Literal["visa", "mastercard", "amex", "interbank"]
    #: Requested currency, ISO 4217; null if none was requested.
    currency: str | None
    #: Units of the requested currency per pound, mid-market rate rather than the card's rate; null if no currency was
    #: requested or the rate is unknown.
    indicativeRate: str | None
    indicativeRateDate: str | None
    #: Fees on a £100 payment in the requested currency on a weekday: 2.99 means that £102.99 leaves the account. In GBP
    #: with two decimals.
    costPer100: str
    #: Supported currencies, ISO 4217, or "all".
    supportedCurrencies: Literal["all"] | list[str]
    rewardOnForeignSpend: str | None
    #: Time of the last change to the record, ISO 8601 UTC.
    updatedAt: str


class ProviderAsset(TypedDict):
    #: Slug of the provider.
    slug: str
    #: Name of the card or provider.
    name: str
    #: Absolute URL of the same image.
    url: str
    #: Media type of the content, such as image/svg+xml.
    contentType: str
    #: Width in pixels; null if the image has no intrinsic size.
    width: int | None
    #: Height in pixels; null if the image has no intrinsic size.
    height: int | None
    #: Permitted uses of the image.
    licenceNote: str
    #: Size of the decoded content in bytes.
    sizeBytes: int
    #: Base64-encoded content.
    contentBase64: str


class CardAsset(TypedDict):
    #: Stable card ID.
    sourceKey: str
    #: Name of the card or provider.
    name: str
    #: Absolute URL of the same image.
    url: str
    #: Media type of the content, such as image/svg+xml.
    contentType: str
    #: Width in pixels; null if the image has no intrinsic size.
    width: int | None
    #: Height in pixels; null if the image has no intrinsic size.
    height: int | None
    #: Permitted uses of the image.
    licenceNote: str
    #: Size of the decoded content in bytes.
    sizeBytes: int
    #: Base64-encoded content.
    contentBase64: str


class SimulationScheduleItem(TypedDict):
    #: Month number, starting at 1.
    month: int
    #: Rate in the month (AER). In percent with two decimals.
    rate: str
    #: Interest credited at the end of the month; 0.00 in a month without a credit. In GBP with two decimals.
    interest: str
    #: Balance at the end of the month. In GBP with two decimals.
    balance: str


class Simulation(TypedDict):
    #: Simulated product; null for a plain rate.
    sourceKey: str | None
    #: Opening balance. In GBP with two decimals.
    balance: str
    #: Requested number of months.
    months: int
    #: Simulated number of months: less than requested if the account matures earlier.
    simulatedMonths: int
    #: Opening rate, including the bonus (AER). In percent with two decimals.
    rateUsed: str
    #: Rate excluding the bonus (AER). In percent with two decimals.
    baseRate: str
    #: Bonus rate; 0.00 if there is no bonus. In percent with two decimals.
    boostRate: str
    #: Last month with the bonus; null if there is no bonus or its duration is unknown.
    boostEndsAfterMonth: int | None
    #: Interest payment frequency of the product; "Annually" for a plain rate.
    interestPaid: str
    #: Interest-crediting frequency of the simulation. A plain rate compounds annually.
    compounding: Literal["daily", "monthly", "quarterly", "half-yearly", "annually", "maturity"]
    #: Total interest. In GBP with two decimals.
    totalInterest: str
    #: Balance at the end. In GBP with two decimals.
    endBalance: str
    #: Yearly rate that gives the same end balance. In percent with two decimals.
    effectiveAer: str
    #: One row per month.
    schedule: list[SimulationScheduleItem]
    #: Assumptions of the simulation, one sentence each.
    assumptions: list[str]
    #: Limitations of the simulation: balance limits, monthly deposit limits, ISA allowances, maturity, deposit
    #: protection.
    warnings: list[str]


class SavingsTaxBreakdownItem(TypedDict):
    #: Allowance or band that applies to this slice of the interest.
    band: Literal["personal-allowance", "starting-rate", "personal-savings-allowance", "basic", "higher", "additional"]
    #: Amount of this slice. In GBP with two decimals.
    amount: str
    #: Tax rate on this slice. In percent with two decimals.
    rate: str
    #: Tax on this slice. The slices add up to taxDue, because the running total is rounded rather than each slice. In
    #: GBP with two decimals.
    tax: str


class SavingsTax(TypedDict):
    #: Tax year of the calculation.
    taxYear: Literal["2023-24", "2024-25", "2025-26", "2026-27", "2027-28"]
    #: Other taxable income in the year. In GBP with two decimals.
    income: str
    #: Savings interest in the year. In GBP with two decimals.
    interest: str
    #: Highest band of taxable income, including interest.
    taxBand: Literal["none", "basic", "higher", "additional"]
    #: Personal allowance after the taper. In GBP with two decimals.
    personalAllowance: str
    #: Personal allowance that other income leaves unused and that is set against interest. In GBP with two decimals.
    personalAllowanceUsedAgainstInterest: str
    #: Amount available at the 0% starting rate for savings. In GBP with two decimals.
    startingRateAvailable: str
    #: Interest taxed at the 0% starting rate. In GBP with two decimals.
    startingRateUsed: str
    #: Personal savings allowance. In GBP with two decimals.
    personalSavingsAllowance: str
    #: Interest within the personal savings allowance. In GBP with two decimals.
    personalSavingsAllowanceUsed: str
    #: Interest taxed above 0%. In GBP with two decimals.
    taxableInterest: str
    #: All of the interest, in the order in which allowances and rates apply.
    breakdown: list[SavingsTaxBreakdownItem]
    #: Tax on the interest, rounded half up once, at the end. In GBP with two decimals.
    taxDue: str
    #: taxDue plus the extra tax on other income if the interest reduces the personal allowance. In GBP with two
    #: decimals.
    extraTaxCausedByInterest: str
    #: Interest minus taxDue. In GBP with two decimals.
    netInterest: str
    #: True if savings and investment income must be reported in a Self Assessment return.
    selfAssessmentRequired: bool
    #: Rules that were applied, one sentence each.
    notes: list[str]


class IsaAllowance(TypedDict):
    #: Tax year of the calculation.
    taxYear: Literal["2023-24", "2024-25", "2025-26", "2026-27", "2027-28"]
    #: Maximum that an adult can pay into all ISAs combined. In GBP with two decimals.
    overallLimit: str
    #: Paid into cash ISAs in the tax year; null if only "used" was given and is more than 0. In GBP with two decimals.
    cash: str | None
    #: Paid into stocks and shares ISAs in the tax year; null if only "used" was given and is more than 0. In GBP with
    #: two decimals.
    stocksShares: str | None
    #: Paid into innovative finance ISAs in the tax year; null if only "used" was given and is more than 0. In GBP with
    #: two decimals.
    innovativeFinance: str | None
    #: Paid into a lifetime ISA in the tax year; null if only "used" was given and is more than 0. In GBP with two
    #: decimals.
    lifetime: str | None
    #: Total paid in: the sum of the amounts by type, or "used" as given. In GBP with two decimals.
    used: str
    #: Allowance used: "used" minus any allowance restored by withdrawals from a flexible ISA. In GBP with two decimals.
    currentYearUsed: str
    #: Remaining allowance: overallLimit minus currentYearUsed, at least 0.00. In GBP with two decimals.
    remaining: str
    #: Money from earlier years withdrawn from a flexible ISA, which can be paid back in this tax year without using
    #: allowance. In GBP with two decimals.
    replaceableEarlierYears: str
    #: Maximum that can be paid into cash ISAs. In GBP with two decimals.
    cashLimit: str
    #: Remaining cash ISA allowance; null if it depends on the split of "used". In GBP with two decimals.
    remainingCash: str | None
    #: Maximum that can be paid into a lifetime ISA, within the overall limit. In GBP with two decimals.
    lifetimeLimit: str
    #: Remaining lifetime ISA allowance; null if it depends on the split of "used". In GBP with two decimals.
    remainingLifetime: str | None
    #: Government bonus on the lifetime ISA payments; 0.00 at an age when payments are not allowed; null if only "used"
    #: was given and is more than 0. In GBP with two decimals.
    lifetimeBonus: str | None
    #: Date (UK time) from which daysLeft is counted.
    asOf: str
    #: Days from asOf to 5 April, the last day of the tax year; 0 on that day and later.
    daysLeft: int
    #: 6 April, when the next allowance starts.
    resetsOn: str
    #: True if the payments are within the limits.
    valid: bool
    #: Limits that the payments exceed; empty if there are none.
    breaches: list[str]
    #: Rules that were applied, one sentence each.
    notes: list[str]


class SavingsGrowthScheduleItem(TypedDict):
    #: Year number, starting at 1; the last year may be shorter than twelve months.
    year: int
    #: Deposits during the year, including the opening amount in year 1. In GBP with two decimals.
    paidIn: str
    #: Interest credited at the end of the year. In GBP with two decimals.
    interest: str
    #: Balance at the end of the year. In GBP with two decimals.
    balance: str


class SavingsGrowth(TypedDict):
    #: Opening amount. In GBP with two decimals.
    amount: str
    #: Deposit at the start of every month. In GBP with two decimals.
    monthly: str
    #: Yearly rate. In percent with two decimals.
    rate: str
    #: Number of months.
    months: int
    #: Interest is credited every twelve months and at the end.
    compounding: Literal["annually"]
    #: Total deposits, including the opening amount. In GBP with two decimals.
    totalPaidIn: str
    #: Total interest. In GBP with two decimals.
    totalInterest: str
    #: Balance at the end. In GBP with two decimals.
    endBalance: str
    #: End balance in today's money; null if "inflation" is not given. In GBP with two decimals.
    realEndBalance: str | None
    #: One row per year.
    schedule: list[SavingsGrowthScheduleItem]
    #: Rules that were applied, one sentence each.
    notes: list[str]


class RegularSaverScheduleItem(TypedDict):
    #: Month number, starting at 1.
    month: int
    #: Deposit at the start of the month. In GBP with two decimals.
    deposit: str
    #: Interest that this deposit earns until the next interest credit, rounded separately. In GBP with two decimals.
    depositInterest: str
    #: Interest credited at the end of the month; 0.00 in a month without a credit. In GBP with two decimals.
    interest: str
    #: Balance at the end of the month. In GBP with two decimals.
    balance: str


class RegularSaver(TypedDict):
    #: Deposit at the start of every month. In GBP with two decimals.
    monthly: str
    #: Yearly rate. In percent with two decimals.
    rate: str
    #: Number of months.
    months: int
    #: Method of the interest calculation.
    basis: str
    #: Total deposits. In GBP with two decimals.
    totalPaidIn: str
    #: Total interest. In GBP with two decimals.
    totalInterest: str
    #: Balance at the end. In GBP with two decimals.
    endBalance: str
    #: Average of the balances that earned interest. In GBP with two decimals.
    averageBalance: str
    #: Interest as a percentage of the deposits. Lower than the rate, because later deposits earn interest for fewer
    #: months. In percent with two decimals.
    effectiveReturn: str
    #: One row per month.
    schedule: list[RegularSaverScheduleItem]
    #: Rules that were applied, one sentence each.
    notes: list[str]


class ExchangeRate(TypedDict):
    #: ISO 4217 code, as in /reference/currencies.
    currency: str
    #: English name of the currency.
    name: str
    #: Base currency of the rates.
    base: Literal["GBP"]
    #: Units of the currency per pound, as an exact decimal.
    rate: str
    #: Pounds per unit of the currency, to eight significant digits.
    inverseRate: str
    #: Date of the rate.
    date: str
    #: Publisher of the rate.
    source: str
    #: Reuse licence of the publisher.
    licence: str
    #: Time the rate was fetched from the source, ISO 8601 UTC.
    fetchedAt: str
    #: True if the rate is more than five days old.
    stale: bool


class ExchangeRateOfDay(TypedDict):
    #: Date of the rate.
    date: str
    #: ISO 4217 code, as in /reference/currencies.
    currency: str
    #: Base currency of the rates.
    base: Literal["GBP"]
    #: Units of the currency per pound, as an exact decimal.
    rate: str
    #: Change in percent from the previous listed rate of the currency, which may be a week or more earlier; signed, two
    #: decimals; null for the oldest rate.
    changePercent: str | None
    #: Publisher of the rate.
    source: str
    #: Reuse licence of the publisher.
    licence: str
    #: Time the rate was fetched from the source, ISO 8601 UTC.
    fetchedAt: str


class MarketOverviewTopProvidersItem(TypedDict):
    #: Slug of the provider, as in /reference/providers.
    slug: str
    #: Display name.
    name: str
    #: Absolute URL of the provider's logo; null if it has none.
    logoUrl: str | None
    #: Best rate of the provider, AER in percent with two decimals.
    bestRate: str
    #: Account type of the product with that rate, as `type` on /rates.
    accountType: Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"]


class MarketOverviewBestByTypeItem(TypedDict):
    #: Account type, as `type` on /rates.
    accountType: Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"]
    #: Best rate of the account type, AER in percent with two decimals.
    rate: str
    #: Display name of the provider.
    provider: str
    #: Stable product ID; for equal rates, the one listed first on /rates.
    sourceKey: str


class MarketOverviewSourcesItem(TypedDict):
    #: Field that this source provides.
    of: Literal["bankRate", "cpi"]
    #: Publisher of the data.
    source: str
    #: Reuse licence of the publisher.
    licence: str
    #: Latest day confirmed by the source, ISO 8601 UTC.
    asOf: str
    #: Time the latest value was fetched from the source, ISO 8601 UTC.
    fetchedAt: str
    #: True if asOf is older than expected from the publication schedule, so a newer value may exist.
    stale: bool


class MarketOverview(TypedDict):
    #: Time of the last change to the market data, ISO 8601 UTC; null for an empty market.
    asOf: str | None
    #: Bank of England Bank Rate in percent, two decimals; null if unknown.
    bankRate: str | None
    #: First day of that Bank Rate, ISO 8601 date.
    bankRateChangedOn: str | None
    #: Date of the next announced Bank Rate decision; null while no source provides it.
    nextMpcDate: str | None
    #: Consumer prices index, latest annual rate in percent, two decimals; null if unknown.
    cpi: str | None
    #: Month of the CPI rate, for example "2026-08".
    cpiMonth: str | None
    #: Number of listed savings products.
    productCount: int
    #: Number of active providers, including those without savings products.
    providerCount: int
    #: Number of products with a rate above Bank Rate; null if Bank Rate is unknown.
    beatingBankRate: int | None
    #: Number of products with a rate before tax above CPI; null if CPI is unknown.
    beatingInflation: int | None
    #: Number of rate rises in the last seven days (UK time), including today.
    risesLast7Days: int
    #: Number of rate cuts in the last seven days (UK time), including today.
    cutsLast7Days: int
    #: The 5 providers with the best rates, best first.
    topProviders: list[MarketOverviewTopProvidersItem]
    #: Best product of each account type that has products.
    bestByType: list[MarketOverviewBestByTypeItem]
    #: Sources of the public statistics.
    sources: list[MarketOverviewSourcesItem]


class MarketAverage(TypedDict):
    #: Account type, as `type` on /rates.
    accountType: Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"]
    #: Term in months, for example "12m"; null for accounts without a term.
    term: str | None
    #: Average rate, AER in percent, rounded half up to two decimals; null if it covers fewer than 3 institutions;
    #: providers on one licence count as one institution.
    averageRate: str | None
    #: Median rate, AER in percent, rounded half up to two decimals; null if it covers fewer than 3 institutions;
    #: providers on one licence count as one institution.
    medianRate: str | None
    #: Best rate, AER in percent with two decimals.
    bestRate: str
    #: Number of products included.
    productCount: int
    #: Number of institutions included.
    institutionCount: int
    #: Average rate one calendar month before asOf, AER in percent, calculated the same way; null if unknown, and null
    #: if it covers fewer than 3 institutions; providers on one licence count as one institution.
    monthAgo: str | None
    #: Average rate one year before asOf, AER in percent, calculated the same way; null if unknown, and null if it
    #: covers fewer than 3 institutions; providers on one licence count as one institution.
    yearAgo: str | None
    #: Code of the comparable Bank of England average, for example "IUMWTFA"; null if there is none.
    boeSeriesCode: str | None
    #: Latest value of that series: a quoted household rate in percent, two decimals.
    boeRate: str | None
    #: Last day of the month of boeRate.
    boeRateAsOf: str | None
    #: Description of the series.
    boeSeries: str | None
    #: Publisher of boeRate.
    boeSource: str | None
    #: Reuse licence of boeRate.
    boeLicence: str | None
    #: True if boeRateAsOf is older than expected from the publication schedule.
    boeStale: bool | None
    #: Date of the last change to the market data, UK time.
    asOf: str | None


class CategoryStats(TypedDict):
    #: Account type, as `type` on /rates.
    accountType: Literal["all", "easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"]
    #: Number of listed products.
    productCount: int
    #: Number of providers with products of this type.
    providerCount: int
    #: Lowest rate, AER in percent with two decimals; null if there are no products.
    minRate: str | None
    #: Highest rate, AER in percent with two decimals; null if there are no products.
    maxRate: str | None
    #: Average rate, AER in percent, rounded half up to two decimals; null if it covers fewer than 3 institutions;
    #: providers on one licence count as one institution.
    averageRate: str | None
    #: 90th percentile of the rates (nearest rank), AER in percent with two decimals; null if there are no products.
    percentile90Rate: str | None
    #: Percentage of products for new customers only, rounded half up to two decimals; null if there are no products.
    newCustomersOnlyShare: str | None
    #: Percentage of products with a bonus in the rate, rounded half up to two decimals; null if there are no products.
    withBonusShare: str | None
    #: Number of rate, base rate and bonus changes in the last 30 days (UK time), including today. Excludes launches and
    #: withdrawals.
    changesLast30Days: int
    #: Percentage of products protected by the Financial Services Compensation Scheme, rounded half up to two decimals;
    #: null if there are no products.
    fscsShare: str | None
    #: Time of the last change to the market data, ISO 8601 UTC; null for an empty market.
    asOf: str | None


class CardStats(TypedDict):
    #: Card list that the row summarises.
    category: Literal["rewards", "travel"]
    #: Number of cards.
    cardCount: int
    #: Average representative APR of the credit cards, in percent, rounded half up to two decimals; null if it covers
    #: fewer than 3 institutions; providers on one licence count as one institution.
    averageRepresentativeApr: str | None
    #: Lowest foreign transaction fee, in percent with two decimals; "0.00" if free, null if there are no cards.
    lowestFxFee: str | None
    #: Number of cards without an annual fee.
    feeFreeCount: int
    #: Highest cashback on any part of the spend, in percent with two decimals; for travel cards, on foreign spend. Null
    #: if no card pays cashback.
    highestCashback: str | None
    #: Time of the last change to the market data, ISO 8601 UTC; null for an empty market.
    asOf: str | None


class MarketHeroStats(TypedDict):
    #: Number of listed savings products.
    productsTracked: int
    #: Number of active providers, including those without savings products.
    providersTracked: int
    #: Best rate in the market, AER in percent with two decimals; null if there are no products.
    topRate: str | None
    #: Display name of the provider with that rate; for equal rates, the one listed first on /rates.
    topRateProvider: str | None
    #: Number of rate changes, launches and withdrawals today (UK time): today's rows on /history.
    updatesToday: int
    #: Time of the last change to the market data, ISO 8601 UTC; null for an empty market.
    asOf: str | None


class MarketBoeRateHistoryItem(TypedDict):
    #: First day of the rate.
    date: str
    #: Rate from that day on, in percent.
    rate: str
    #: Change in percentage points, signed; null for the first known rate and after a gap in the data.
    change: str | None


class MarketBoeRate(TypedDict):
    #: Official Bank Rate in percent, two decimals.
    current: str
    #: First day of the current rate.
    effectiveDate: str
    #: Previous rate in percent; null if unknown.
    previous: str | None
    #: Difference between the current and the previous rate in percentage points, signed, for example "-0.25"; null if
    #: previous is unknown.
    change: str | None
    #: Date of the next announced decision; null while no source provides it.
    nextDecisionDate: str | None
    #: Series code in the Bank of England's database.
    series: Literal["IUDBEDR"]
    #: All known rate changes, newest first.
    history: list[MarketBoeRateHistoryItem]
    #: Publisher of the data.
    source: str
    #: Reuse licence of the publisher.
    licence: str
    #: Latest day confirmed by the source, ISO 8601 UTC.
    asOf: str
    #: Time the latest value was fetched from the source, ISO 8601 UTC.
    fetchedAt: str
    #: True if asOf is older than expected from the publication schedule, so a newer value may exist.
    stale: bool


class MarketEcbRateSeriesKeys(TypedDict):
    "Series keys in the ECB Data Portal."

    #: Series key of the deposit facility.
    depositFacility: str
    #: Series key of the main refinancing operations.
    mainRefinancing: str
    #: Series key of the marginal lending facility.
    marginalLending: str


class MarketEcbRateHistoryItem(TypedDict):
    #: First day of these rates.
    effectiveDate: str
    #: Deposit facility rate in percent, two decimals; null if unknown.
    depositFacility: str | None
    #: Fixed rate of the main refinancing operations in percent; null if unknown.
    mainRefinancing: str | None
    #: Marginal lending facility rate in percent; null if unknown.
    marginalLending: str | None


class MarketEcbRate(TypedDict):
    #: First day of these rates.
    effectiveDate: str
    #: Deposit facility rate in percent, two decimals; null if unknown.
    depositFacility: str | None
    #: Fixed rate of the main refinancing operations in percent; null if unknown.
    mainRefinancing: str | None
    #: Marginal lending facility rate in percent; null if unknown.
    marginalLending: str | None
    #: Series keys in the ECB Data Portal.
    seriesKeys: MarketEcbRateSeriesKeys
    #: All three rates on each day that any of them changed, newest first.
    history: list[MarketEcbRateHistoryItem]
    #: Publisher of the data.
    source: str
    #: Reuse licence of the publisher.
    licence: str
    #: Latest day confirmed by the source, ISO 8601 UTC.
    asOf: str
    #: Time the latest value was fetched from the source, ISO 8601 UTC.
    fetchedAt: str
    #: True if asOf is older than expected from the publication schedule, so a newer value may exist.
    stale: bool


class MarketInflationCpi(TypedDict):
    "Consumer prices index, annual rate."

    #: Latest twelve-month rate in percent, two decimals; null if unknown.
    value: str | None
    #: Month of the value, for example "2026-08".
    month: str | None
    #: Rate of the previous month in percent; null if unknown.
    previous: str | None
    #: Series identifier in dataset MM23.
    seriesId: Literal["D7G7"]


class MarketInflationCpih(TypedDict):
    "Consumer prices index including housing costs, annual rate."

    #: Latest twelve-month rate in percent, two decimals; null if unknown.
    value: str | None
    #: Month of the value, for example "2026-08".
    month: str | None
    #: Rate of the previous month in percent; null if unknown.
    previous: str | None
    #: Series identifier in dataset MM23.
    seriesId: Literal["L55O"]


class MarketInflationRpi(TypedDict):
    "Retail prices index, annual rate."

    #: Latest twelve-month rate in percent, two decimals; null if unknown.
    value: str | None
    #: Month of the value, for example "2026-08".
    month: str | None
    #: Rate of the previous month in percent; null if unknown.
    previous: str | None
    #: Series identifier in dataset MM23.
    seriesId: Literal["CZBH"]


class MarketInflationHistoryItem(TypedDict):
    #: Month, for example "2026-08".
    month: str
    #: Consumer prices index, twelve-month rate in percent.
    cpi: str | None
    #: Consumer prices index including housing costs, twelve-month rate in percent.
    cpih: str | None
    #: Retail prices index, twelve-month rate in percent.
    rpi: str | None


class MarketInflation(TypedDict):
    #: Consumer prices index, annual rate.
    cpi: MarketInflationCpi
    #: Consumer prices index including housing costs, annual rate.
    cpih: MarketInflationCpih
    #: Retail prices index, annual rate.
    rpi: MarketInflationRpi
    #: Release date of the latest CPI; null if unknown.
    releaseDate: str | None
    #: Date of the next announced release; null if unknown.
    nextRelease: str | None
    #: Interest rate before tax, in percent, that savings must exceed to keep up with CPI; null if CPI is unknown.
    realRateNeeded: str | None
    #: Annual rates in percent by month, newest first; unknown values are null.
    history: list[MarketInflationHistoryItem]
    #: Publisher of the data.
    source: str
    #: Reuse licence of the publisher.
    licence: str
    #: Latest day confirmed by the source, ISO 8601 UTC.
    asOf: str
    #: Time the latest value was fetched from the source, ISO 8601 UTC.
    fetchedAt: str
    #: True if asOf is older than expected from the publication schedule, so a newer value may exist.
    stale: bool


class SnapshotNdjson(TypedDict):
    "The file as NDJSON, the default."

    #: ETag of the file.
    etag: str
    #: Size in bytes, without compression.
    bytes: int
    #: Size in bytes, compressed with gzip.
    gzipBytes: int


class SnapshotCsv(TypedDict):
    "The file as CSV."

    #: ETag of the file.
    etag: str
    #: Size in bytes, without compression.
    bytes: int
    #: Size in bytes, compressed with gzip.
    gzipBytes: int


class Snapshot(TypedDict):
    #: List that the file contains, as in its path.
    dataset: Literal["rates", "providers", "switch-offers"]
    #: Day of the market, UK time. ISO 8601 date.
    day: str
    #: Number of rows.
    rows: int
    #: Price of a download with a live key, in credits.
    credits: int
    updatedUntil: str | None
    #: Time at which the file was stored. ISO 8601 UTC.
    createdAt: str
    #: URL of the file.
    url: str
    #: The file as NDJSON, the default.
    ndjson: SnapshotNdjson
    #: The file as CSV.
    csv: SnapshotCsv


class Usage(TypedDict):
    #: UTC day of the calls.
    day: str
    #: ID of the key, as in the portal.
    key: str
    #: Name of the key; empty if it has none.
    keyName: str
    #: Mode of the key.
    mode: Literal["test", "live"]
    #: Method and path, such as `GET /rates`; `Unknown path` for calls to paths that do not exist.
    endpoint: str
    #: HTTP status of the responses.
    status: int
    #: Number of calls on that day with this key, endpoint and status.
    calls: int
    #: Credits charged for these calls.
    credits: int


class Webhook(TypedDict):
    #: ID, starts with `whe_`.
    id: str
    #: Mode of the keys that manage the endpoint. Test endpoints receive sample-market events and test events for free.
    mode: Literal["test", "live"]
    #: URL that events are sent to.
    url: str
    #: Name for your own use; can be empty.
    description: str
    #: Event types that the endpoint receives.
    types: list[Literal["rate.changed", "product.added", "product.withdrawn", "switch_offer.changed", "balance.low", "alert.matched"]]
    #: Provider slugs; empty for all providers.
    providers: list[str]
    #: Account types; empty for all.
    accountTypes: list[Literal["easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"]]
    #: Minimum change for rate.changed, in percentage points with two decimals; null for any change.
    minChange: str | None
    #: `active`, `paused` (by you), `held` (not enough credits, or the monthly cap is reached) or `disabled` (by the
    #: service).
    state: Literal["active", "paused", "held", "disabled"]
    #: Why the service disabled the endpoint: it returned 410 (`gone`) or failed for five days (`failures`). Null
    #: otherwise.
    stateReason: Literal["gone", "failures"] | None
    #: Time of creation, UTC.
    createdAt: str
    #: Time of the first failure since the last success, UTC; null if the last attempt succeeded, or if the URL has
    #: changed since the failure.
    failingSince: str | None
    #: Time until which deliveries are also signed with the previous secret, UTC; null outside a rotation.
    oldSecretEndsAt: str | None
    #: Number of waiting deliveries; 10,001 means more than 10,000.
    waiting: int
    #: Success rate of the attempts in the last seven days (the newest 1,000 at most), from 0 to 1; null if there were
    #: none.
    successRate: float | None


class CreatedWebhook(TypedDict):
    #: ID, starts with `whe_`.
    id: str
    #: Mode of the keys that manage the endpoint. Test endpoints receive sample-market events and test events for free.
    mode: Literal["test", "live"]
    #: URL that events are sent to.
    url: str
    #: Name for your own use; can be empty.
    description: str
    #: Event types that the endpoint receives.
    types: list[Literal["rate.changed", "product.added", "product.withdrawn", "switch_offer.changed", "balance.low", "alert.matched"]]
    #: Provider slugs; empty for all providers.
    providers: list[str]
    #: Account types; empty for all.
    accountTypes: list[Literal["easy-access", "fixed-rate", "notice", "cash-isa", "junior-isa", "lifetime-isa", "stocks-shares-isa", "regular-saver", "childrens-savings"]]
    #: Minimum change for rate.changed, in percentage points with two decimals; null for any change.
    minChange: str | None
    #: `active`, `paused` (by you), `held` (not enough credits, or the monthly cap is reached) or `disabled` (by the
    #: service).
    state: Literal["active", "paused", "held", "disabled"]
    #: Why the service disabled the endpoint: it returned 410 (`gone`) or failed for five days (`failures`). Null
    #: otherwise.
    stateReason: Literal["gone", "failures"] | None
    #: Time of creation, UTC.
    createdAt: str
    #: Time of the first failure since the last success, UTC; null if the last attempt succeeded, or if the URL has
    #: changed since the failure.
    failingSince: str | None
    #: Time until which deliveries are also signed with the previous secret, UTC; null outside a rotation.
    oldSecretEndsAt: str | None
    #: Number of waiting deliveries; 10,001 means more than 10,000.
    waiting: int
    #: Success rate of the attempts in the last seven days (the newest 1,000 at most), from 0 to 1; null if there were
    #: none.
    successRate: float | None
    #: Signing secret, which no other response contains.
    secret: str


class DeletedObject(TypedDict):
    #: ID of the deleted object.
    id: str
    #: Always true.
    deleted: Literal[True]


class RotatedWebhookSecret(TypedDict):
    #: ID, starts with `whe_`.
    id: str
    #: Signing secret, which no other response contains.
    secret: str
    #: Time until which deliveries are also signed with the previous secret, UTC.
    oldSecretEndsAt: str


class TestDelivery(TypedDict):
    #: ID of the test event.
    event: str
    #: ID of the delivery.
    delivery: str


class WebhookDelivery(TypedDict):
    #: ID, starts with `dlv_`.
    id: str
    #: ID of the webhook endpoint.
    webhook: str
    #: ID of the event, the same for every endpoint that receives it.
    event: str
    #: Event type.
    type: Literal["rate.changed", "product.added", "product.withdrawn", "switch_offer.changed", "balance.low", "alert.matched"]
    #: `waiting` (for an attempt), `delivered`, `dead` (the final attempt failed) or `cancelled` (its endpoint was
    #: deleted).
    state: Literal["waiting", "delivered", "dead", "cancelled"]
    #: True for test events.
    isTest: bool
    #: Number of attempts so far. A manual redelivery resets it to 0.
    attempts: int
    #: HTTP status of the last attempt; null if there was no response or no attempt yet.
    lastStatus: int | None
    #: Credits charged for the delivery.
    creditsCharged: int
    #: Time of creation, UTC.
    createdAt: str
    #: Time of the next attempt, UTC; null if there is none.
    nextAttemptAt: str | None
    #: Time of the first 2xx response, UTC; null if there was none.
    deliveredAt: str | None


class WebhookDeliveryDetailsTriesItem(TypedDict):
    #: Time of the attempt, UTC.
    at: str
    #: True if the receiver returned 2xx.
    isDelivered: bool
    #: HTTP status; null if there was no response.
    status: int | None
    #: Reason for the missing response; null if there was a response.
    fault: str | None
    #: Duration in milliseconds.
    totalMs: int


class WebhookDeliveryDetails(TypedDict):
    #: ID, starts with `dlv_`.
    id: str
    #: ID of the webhook endpoint.
    webhook: str
    #: ID of the event, the same for every endpoint that receives it.
    event: str
    #: Event type.
    type: Literal["rate.changed", "product.added", "product.withdrawn", "switch_offer.changed", "balance.low", "alert.matched"]
    #: `waiting` (for an attempt), `delivered`, `dead` (the final attempt failed) or `cancelled` (its endpoint was
    #: deleted).
    state: Literal["waiting", "delivered", "dead", "cancelled"]
    #: True for test events.
    isTest: bool
    #: Number of attempts so far. A manual redelivery resets it to 0.
    attempts: int
    #: HTTP status of the last attempt; null if there was no response or no attempt yet.
    lastStatus: int | None
    #: Credits charged for the delivery.
    creditsCharged: int
    #: Time of creation, UTC.
    createdAt: str
    #: Time of the next attempt, UTC; null if there is none.
    nextAttemptAt: str | None
    #: Time of the first 2xx response, UTC; null if there was none.
    deliveredAt: str | None
    #: The event's data, as sent; null for a live market event until it is delivered and charged.
    data: Any | None
    #: Latest attempts, newest first, at most 100.
    tries: list[WebhookDeliveryDetailsTriesItem]


class QueuedDelivery(TypedDict):
    #: ID, starts with `dlv_`.
    id: str
    #: Always `waiting`: the delivery is queued again.
    state: Literal["waiting"]


class SentEvent(TypedDict):
    #: ID of the event, as in the body of the webhook.
    id: str
    #: Event type.
    type: Literal["rate.changed", "product.added", "product.withdrawn", "switch_offer.changed", "balance.low", "alert.matched"]
    #: Time of the event, UTC.
    createdAt: str
    #: The event's data, as sent.
    data: Any
    #: True for test events.
    isTest: bool
    #: ID of the webhook endpoint.
    webhook: str
    #: ID of the delivery, as in `X-SVC-Delivery`.
    delivery: str
    #: Time of the first successful delivery, UTC. For test events and events about the account: time of creation.
    sentAt: str


class SampleEvent(TypedDict):
    #: Event type.
    type: Literal["rate.changed", "product.added", "product.withdrawn", "switch_offer.changed", "balance.low", "alert.matched"]
    #: The event's data, as in a test event.
    data: Any


class Alert(TypedDict):
    #: ID, starts with `alr_`.
    id: str
    #: Name of the alert, used as the subject of its emails.
    name: str
    #: What the alert tracks: products that match the filter (`products`), the products of certain providers
    #: (`providers`) or Bank Rate (`bank-rate`).
    kind: Literal["products", "providers", "bank-rate"]
    #: Filters of /rates as a query string, such as `type=easy-access&minRate=4.6`. Only for alerts of kind `products`,
    #: which need at least one filter.
    filter: str
    #: Provider slugs. Only for alerts of kind `providers`, which need at least one slug.
    providers: list[str]
    #: When emails are sent: as soon as changes are found (`immediate`), or once a day at 08:00 UK time with the changes
    #: of all daily alerts (`daily`).
    frequency: Literal["immediate", "daily"]
    #: True to email the owner of the alert: the member who created the key or, if that member can no longer manage
    #: alerts, the account owner.
    email: bool
    #: True to send alert.matched to the webhook endpoints that are subscribed to it.
    webhook: bool
    #: A paused alert reports nothing. Once resumed, it reports only later changes.
    state: Literal["active", "paused"]
    #: Time of creation, UTC.
    createdAt: str
    #: Time at which changes were last found, UTC; null if none have been found yet.
    lastFoundAt: str | None


class RateChangedEvent(TypedDict):
    #: Event ID. It stays the same when a delivery is repeated; use it to deduplicate.
    id: str
    type: Literal["rate.changed"]
    #: Time of the event, UTC.
    createdAt: str
    #: Attempt number, starting at 1.
    attempt: int
    data: RateChange


class ProductAddedEvent(TypedDict):
    #: Event ID. It stays the same when a delivery is repeated; use it to deduplicate.
    id: str
    type: Literal["product.added"]
    #: Time of the event, UTC.
    createdAt: str
    #: Attempt number, starting at 1.
    attempt: int
    data: SavingsProduct


class ProductWithdrawnEvent(TypedDict):
    #: Event ID. It stays the same when a delivery is repeated; use it to deduplicate.
    id: str
    type: Literal["product.withdrawn"]
    #: Time of the event, UTC.
    createdAt: str
    #: Attempt number, starting at 1.
    attempt: int
    data: SavingsProduct


class SwitchOfferChangedEvent(TypedDict):
    #: Event ID. It stays the same when a delivery is repeated; use it to deduplicate.
    id: str
    type: Literal["switch_offer.changed"]
    #: Time of the event, UTC.
    createdAt: str
    #: Attempt number, starting at 1.
    attempt: int
    data: SwitchOffer


class BalanceLowEventData(TypedDict):
    #: Account ID, as in `/me`.
    account: str
    #: The lowest threshold that the balance has fallen to. Each threshold triggers one event until credits are added.
    thresholdCredits: int
    #: Balance in credits; negative after a refund of spent credits.
    balanceCredits: int
    #: Time at which the balance fell to the threshold, UTC.
    at: str
    #: URL of the top-up page.
    topUp: str


class BalanceLowEvent(TypedDict):
    #: Event ID. It stays the same when a delivery is repeated; use it to deduplicate.
    id: str
    type: Literal["balance.low"]
    #: Time of the event, UTC.
    createdAt: str
    #: Attempt number, starting at 1.
    attempt: int
    data: BalanceLowEventData


class AlertMatchedEventDataChangesItem(TypedDict):
    #: What changed.
    change: Literal["matched", "unmatched", "withdrawn", "rate_up", "rate_down", "terms_changed"]
    #: Product, as in `/rates/{sourceKey}`; null for Bank Rate.
    sourceKey: str | None


class AlertMatchedEventData(TypedDict):
    #: Account ID, as in `/me`.
    account: str
    #: ID of the alert.
    alert: str
    #: Name of the alert.
    name: str
    #: What the alert reports.
    kind: Literal["products", "providers", "bank-rate"]
    #: ID of the notification, the same for every delivery.
    notification: str
    #: Number of changes.
    changeCount: int
    #: The first 50 changes.
    changes: list[AlertMatchedEventDataChangesItem]
    #: Time at which the changes were found, UTC.
    at: str
    #: URL of the alert in the portal.
    url: str


class AlertMatchedEvent(TypedDict):
    #: Event ID. It stays the same when a delivery is repeated; use it to deduplicate.
    id: str
    type: Literal["alert.matched"]
    #: Time of the event, UTC.
    createdAt: str
    #: Attempt number, starting at 1.
    attempt: int
    data: AlertMatchedEventData


SavingsProductField = Literal["sourceKey", "provider", "providerSlug", "accountName", "accountType", "rate", "baseRate", "boostRate", "boostDuration", "interestPaid", "interestType", "access", "minBalance", "maxBalance", "maxMonthlyDeposit", "fscsDetails", "newCustomersOnly", "depositscoutUrl", "matchReasons", "updatedAt", "termMonths", "noticeDays", "withdrawalsPerYear", "maturityDate", "listedSince", "withdrawnAt", "providerLogoUrl"]
RateChangeField = Literal["id", "sourceKey", "provider", "providerSlug", "accountName", "accountType", "previousRate", "newRate", "rateChange", "direction", "effectiveDate", "detectedAt", "previousEffectiveDate", "daysSincePreviousChange", "bankRateAtChange", "providerLogoUrl"]
RateComponentsField = Literal["id", "sourceKey", "provider", "providerSlug", "accountName", "accountType", "effectiveFrom", "effectiveTo", "baseRate", "boostRate", "rate", "boostDuration", "boostEndsOn"]
RateTrendField = Literal["seriesId", "label", "accountType", "providerSlug", "sourceKey", "metric", "unit", "points", "first", "last", "change", "providerLogoUrl"]
ProviderField = Literal["slug", "name", "logoUrl", "legalName", "frn", "providerType", "website", "founded", "headquarters", "ownerName", "ownerCountry", "protectionScheme", "protectionLimit", "licenceGroup", "sharesLicenceWith", "trustScore", "trustReviewCount", "trustSource", "trustAsOf", "productCount", "topRate", "accountTypes", "cassParticipant", "updatedAt", "withdrawnAt"]
SwitchOfferField = Literal["offerKey", "provider", "providerSlug", "logoUrl", "accountName", "accountKind", "bonusAmount", "bonusType", "totalValue", "extraBenefits", "minPayIn", "payInWithinDays", "payInFrequency", "minDirectDebits", "directDebitsMustTransfer", "minCardPayments", "cardPaymentsWithinDays", "digitalLoginRequired", "monthlyFee", "minAnnualIncome", "switchWithinDays", "fullSwitchRequired", "cassParticipant", "payoutWithinDays", "startDate", "endDate", "newCustomersOnly", "excludedIfHeldSince", "previousBonusExcluded", "previousBonusSince", "eligibility", "exclusions", "termsUrl", "note", "status", "updatedAt", "withdrawnAt"]
AccountOfferField = Literal["offerKey", "provider", "providerSlug", "logoUrl", "accountName", "accountType", "headline", "creditInterestRate", "creditInterestMaxBalance", "cashbackRate", "cashbackCategories", "cashbackCap", "monthlyFee", "overdraftRate", "overdraftInterestFreeAmount", "introductoryPeriod", "minPayIn", "minDirectDebits", "linkedSaverRate", "startDate", "endDate", "newCustomersOnly", "termsUrl", "note", "updatedAt"]
RewardCardField = Literal["sourceKey", "name", "provider", "providerSlug", "logoUrl", "imageUrl", "network", "cardType", "rewardType", "rewardCurrencyName", "earnRate", "rewardTiers", "introRate", "introDurationMonths", "welcomeBonus", "annualFee", "firstYearFee", "representativeApr", "purchaseRate", "minCreditLimit", "fxFee", "cashAdvanceFee", "minAnnualIncome", "estimatedAnnualValue", "representativeExample", "newCustomersOnly", "updatedAt"]
TravelCardField = Literal["sourceKey", "name", "provider", "providerSlug", "logoUrl", "imageUrl", "network", "cardType", "fxFee", "weekendFxFee", "atmFeePercent", "atmFeeMinimum", "atmFreeLimit", "cashInterestFromDay1", "cashRate", "representativeApr", "annualFee", "exchangeRateSource", "currency", "indicativeRate", "indicativeRateDate", "costPer100", "supportedCurrencies", "rewardOnForeignSpend", "updatedAt"]
ExchangeRateField = Literal["currency", "name", "base", "rate", "inverseRate", "date", "source", "licence", "fetchedAt", "stale"]
ExchangeRateOfDayField = Literal["date", "currency", "base", "rate", "changePercent", "source", "licence", "fetchedAt"]
MarketAverageField = Literal["accountType", "term", "averageRate", "medianRate", "bestRate", "productCount", "institutionCount", "monthAgo", "yearAgo", "boeSeriesCode", "boeRate", "boeRateAsOf", "boeSeries", "boeSource", "boeLicence", "boeStale", "asOf"]
CategoryStatsField = Literal["accountType", "productCount", "providerCount", "minRate", "maxRate", "averageRate", "percentile90Rate", "newCustomersOnlyShare", "withBonusShare", "changesLast30Days", "fscsShare", "asOf"]
CardStatsField = Literal["category", "cardCount", "averageRepresentativeApr", "lowestFxFee", "feeFreeCount", "highestCashback", "asOf"]
UsageField = Literal["day", "key", "keyName", "mode", "endpoint", "status", "calls", "credits"]
WebhookDeliveryField = Literal["id", "webhook", "event", "type", "state", "isTest", "attempts", "lastStatus", "creditsCharged", "createdAt", "nextAttemptAt", "deliveredAt"]
SentEventField = Literal["id", "type", "createdAt", "data", "isTest", "webhook", "delivery", "sentAt"]

#: Webhook events. New types are added over time, so handle only those that you know.
WebhookEvent = Union[RateChangedEvent, ProductAddedEvent, ProductWithdrawnEvent, SwitchOfferChangedEvent, BalanceLowEvent, AlertMatchedEvent]
