// Made by `npm run client:generate` from the OpenAPI document of the service. Do not edit.

export interface webhooks {
    "rate.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The rate of a product changed.
         * @description `data` is a row of `/history`. 5 credits per event, charged at the first 2xx. Retries and test events are free.
         */
        post: operations["onRateChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "product.added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A product was listed.
         * @description `data` is the product. 5 credits per event, charged at the first 2xx. Retries and test events are free.
         */
        post: operations["onProductAdded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "product.withdrawn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A product was withdrawn.
         * @description `data` is the last version of the product. 5 credits per event, charged at the first 2xx. Retries and test events are free.
         */
        post: operations["onProductWithdrawn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "switch_offer.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A switch offer started, changed or ended.
         * @description `data` is the offer. 5 credits per event, charged at the first 2xx. Retries and test events are free.
         */
        post: operations["onSwitchOfferChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "balance.low": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Your balance fell to one of your alert thresholds.
         * @description `data` is the threshold and the balance. Free. Sent even while other events wait for credits, and regardless of filters.
         */
        post: operations["onBalanceLow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "alert.matched": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * One of your market alerts found changes.
         * @description `data` is the alert and the products that changed. Free. Sent even while other events wait for credits, and regardless of filters.
         */
        post: operations["onAlertMatched"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        SavingsProduct: {
            /**
             * @description Stable product ID. Store this rather than the name.
             * @example harrow-vale-easy-access-7f3a
             */
            sourceKey: string;
            /** @description Display name of the provider. */
            provider: string;
            /** @description Slug of the provider, as in /reference/providers. */
            providerSlug: string;
            /** @description Display name of the account. */
            accountName: string;
            /** @description Display label of the account type. */
            accountType: string;
            /**
             * @description AER in percent with two decimals, including the bonus.
             * @example 4.50
             */
            rate: string;
            /**
             * @description Rate excluding the bonus, in percent.
             * @example 4.50
             */
            baseRate: string;
            /**
             * @description Bonus rate in percent; 0.00 if there is no bonus.
             * @example 4.50
             */
            boostRate: string;
            /** @description Duration of the bonus, for example "12 months"; null if there is no bonus. */
            boostDuration: string | null;
            /** @description Interest payment frequency. */
            interestPaid: string;
            /** @description Variable or fixed. */
            interestType: string;
            /** @description Withdrawal terms. */
            access: string;
            /** @description Minimum balance in GBP. */
            minBalance: number;
            /** @description Maximum balance in GBP; null if there is none. */
            maxBalance: number | null;
            /** @description Maximum monthly deposit in GBP; null if there is none. */
            maxMonthlyDeposit: number | null;
            /** @description Deposit protection statement. */
            fscsDetails: string;
            /** @description True if only new customers can apply. */
            newCustomersOnly: boolean;
            /**
             * Format: uri
             * @description URL of the product's page on this site.
             */
            depositscoutUrl: string;
            /** @description Why the product matched, one sentence per reason. */
            matchReasons: string[];
            /**
             * Format: date-time
             * @description Time of the last change to the product, UTC.
             * @example 2026-11-21T06:00:00.000Z
             */
            updatedAt: string;
            /** @description Term in months; null if there is none. */
            termMonths: number | null;
            /** @description Notice period in days; null if there is none. */
            noticeDays: number | null;
            /** @description Maximum number of withdrawals a year; 0 if none are allowed, null if no limit is stated. */
            withdrawalsPerYear: number | null;
            /** @description Date on which the account matures; null if there is none, or if it depends on the day of opening. */
            maturityDate: string | null;
            /**
             * @description First day of the current listing, UK time; null if unknown.
             * @example 2025-03-14
             */
            listedSince: string | null;
            /**
             * @description On lists with withdrawn=include: time of the withdrawal, ISO 8601 UTC, or null if the record is still listed. Otherwise null.
             * @example null
             */
            withdrawnAt: string | null;
            /** @description URL of the provider's logo; Enterprise plan only. */
            providerLogoUrl?: string | null;
        };
        RateChange: {
            /** @description Immutable ID of the change, hst_…. */
            id: string;
            /** @description Stable product ID. */
            sourceKey: string;
            /** @description Display name of the provider. */
            provider: string;
            /** @description Slug of the provider. */
            providerSlug: string;
            /** @description Name of the account at the time. */
            accountName: string;
            /** @description Display label of the account type. */
            accountType: string;
            previousRate: string | null;
            newRate: string | null;
            /** @description Difference between the new and the previous rate in percentage points, signed, for example "-0.25"; null for a launch or withdrawal. */
            rateChange: string | null;
            /**
             * @description Direction of the change; `unchanged` if the base rate or the bonus changed, but not their total.
             * @enum {string}
             */
            direction: "up" | "down" | "launched" | "withdrawn" | "unchanged";
            /**
             * Format: date
             * @description Date the change took effect. ISO 8601 date.
             * @example 2026-11-21
             */
            effectiveDate: string;
            /**
             * Format: date-time
             * @description Time the change was detected, ISO 8601 UTC.
             */
            detectedAt: string;
            previousEffectiveDate: string | null;
            /** @description Days since the product's previous change; null for its first. */
            daysSincePreviousChange: number | null;
            bankRateAtChange: string | null;
            /** @description URL of the provider's logo; Enterprise plan only. */
            providerLogoUrl?: string | null;
        };
        SwitchOffer: {
            /** @description Stable ID of the offer. */
            offerKey: string;
            /** @description Display name of the provider. */
            provider: string;
            /** @description Slug of the provider; null if it is not in the rates data. */
            providerSlug: string | null;
            /** @description Absolute URL of the provider's logo; null if it has none. */
            logoUrl: string | null;
            /** @description Name of the account. */
            accountName: string;
            /**
             * @description Type of account holder.
             * @enum {string}
             */
            accountKind: "personal" | "joint" | "student" | "business";
            /**
             * @description Bonus for switching. In GBP with two decimals.
             * @example 125.00
             */
            bonusAmount: string;
            /**
             * @description Form of the bonus.
             * @enum {string}
             */
            bonusType: "cash" | "cashback" | "gift" | "interest-boost" | "points";
            totalValue: string | null;
            /** @description Extras, in plain English. */
            extraBenefits: string[];
            minPayIn: string | null;
            /** @description Time limit for the pay-in. In days; null if there is none. */
            payInWithinDays: number | null;
            /** @description Frequency of the pay-in; null if there is none. */
            payInFrequency: ("once" | "monthly") | null;
            /** @description Minimum number of active direct debits. */
            minDirectDebits: number;
            /** @description True if the direct debits must transfer with the switch. */
            directDebitsMustTransfer: boolean;
            /** @description Minimum number of card payments. */
            minCardPayments: number;
            /** @description Time limit for the card payments. In days; null if there is none. */
            cardPaymentsWithinDays: number | null;
            /** @description True if customers must log in online or in the app. */
            digitalLoginRequired: boolean;
            /**
             * @description Monthly account fee. In GBP with two decimals.
             * @example 125.00
             */
            monthlyFee: string;
            minAnnualIncome: string | null;
            /** @description Time limit for completing the switch. In days; null if there is none. */
            switchWithinDays: number | null;
            /** @description True if a full switch is required, which closes the old account. */
            fullSwitchRequired: boolean;
            /** @description True if the switch uses the Current Account Switch Service. */
            cassParticipant: boolean;
            /** @description Time until the bonus is paid after the conditions are met. In days; null if there is none. */
            payoutWithinDays: number | null;
            /**
             * Format: date
             * @description First day of the offer; in the future for an announced offer. ISO 8601 date.
             * @example 2026-11-21
             */
            startDate: string;
            endDate: string | null;
            /** @description True if only new customers are eligible. */
            newCustomersOnly: boolean;
            excludedIfHeldSince: string | null;
            /** @description True if customers who had an earlier switching bonus are excluded. */
            previousBonusExcluded: boolean;
            previousBonusSince: string | null;
            /** @description Eligibility conditions, in plain English. */
            eligibility: string[];
            /** @description Exclusions, in plain English. */
            exclusions: string[];
            /**
             * Format: uri
             * @description URL of the offer's terms.
             */
            termsUrl: string;
            /** @description General note about the offer, for example that it is fictional; null if there is none. */
            note: string | null;
            /**
             * @description Status of the offer today (UK time); `ending-soon` in its last 14 days.
             * @enum {string}
             */
            status: "live" | "ending-soon" | "ended";
            /**
             * Format: date-time
             * @description Time of the last change to the record, ISO 8601 UTC.
             * @example 2026-11-21T06:00:00.000Z
             */
            updatedAt: string;
            /**
             * @description On lists with withdrawn=include: time of the withdrawal, ISO 8601 UTC, or null if the record is still listed. Otherwise null.
             * @example null
             */
            withdrawnAt: string | null;
        };
        Meta: {
            /** @description Request ID, also sent in the X-SVC-Request-Id header. */
            requestId: string;
            /**
             * Format: date-time
             * @description Time the response was built. A cached response keeps its original time.
             */
            generatedAt: string;
            /** @description Credits charged for this request. */
            creditsCharged: number;
            /** @description Balance after this request. */
            creditsBalance: number;
            /** @description Attribution line that the Data Licence requires you to show with the data. */
            attribution: string;
            /** @description True if the data is sample data (test keys). */
            sample: boolean;
        };
        ListMeta: {
            /** @description Request ID, also sent in the X-SVC-Request-Id header. */
            requestId: string;
            /**
             * Format: date-time
             * @description Time the response was built. A cached response keeps its original time.
             */
            generatedAt: string;
            /** @description Credits charged for this request. */
            creditsCharged: number;
            /** @description Balance after this request. */
            creditsBalance: number;
            /** @description Attribution line that the Data Licence requires you to show with the data. */
            attribution: string;
            /** @description On lists: applied page size, which is lower than requested if the request exceeded the maximum or the credits that you can spend. */
            limit: number;
            /** @description On lists: cursor of the next page, or null on the last page. */
            nextCursor: string | null;
            /**
             * Format: date-time
             * @description On /rates, /providers and /switch-offers: pass it as updatedSince next time to get every change since the first page of this list.
             */
            updatedUntil?: string;
            /** @description True if the data is sample data (test keys). */
            sample: boolean;
        };
        Ping: {
            /**
             * @description Always true: the API is reachable.
             * @constant
             * @enum {boolean}
             */
            ok: true;
            /**
             * @description Mode of the key.
             * @enum {string}
             */
            mode: "test" | "live";
            /** @description Same as meta.requestId. */
            requestId: string;
        };
        Me: {
            /** @description Account that the key belongs to. */
            account: {
                /** @description ID of the account, to quote to support. */
                id: string;
                /** @description Name chosen by the owner. */
                name: string;
                /** @description `open` (approved), `review` (not approved) or `blocked`. */
                status: string;
                /**
                 * @description Plan, which determines the limits and the endpoints available to live keys.
                 * @enum {string}
                 */
                plan: "hobby" | "business" | "enterprise";
            };
            /** @description Key used for this request. */
            key: {
                /** @description ID of the key, as in the portal and the request log. */
                id: string;
                /**
                 * @description Test keys read sample data and are free; live keys read live data.
                 * @enum {string}
                 */
                mode: "test" | "live";
                /** @description Key as shown in lists: mode and last four characters. */
                prefix: string;
                /** @description Scopes of the key. */
                scopes: string[];
                /** @description IP addresses and ranges that can use the key; empty allows all. */
                ipAllowList: string[];
                /**
                 * Format: date-time
                 * @description Time of creation, UTC.
                 */
                createdAt: string;
                /** @description Time of expiry, UTC; null if the key does not expire. */
                expiresAt: string | null;
            };
            /** @description Balance of the account. */
            balance: {
                /** @description Current balance in credits, exact. */
                credits: number;
            };
            /** @description Rate limits of this key. */
            rateLimits: {
                /** @description Requests per UTC minute for this key. */
                perMinute: number;
                /** @description Live requests per UTC day for the account; null for a test key, which has no daily limit. */
                perDay: number | null;
            };
            /** @description Usage of the account today. */
            usage: {
                /**
                 * Format: date-time
                 * @description Time up to which requestsToday and creditsToday are complete.
                 */
                asOf: string;
                /** @description Requests made with all keys of the account today (UTC), excluding rate-limited ones. */
                requestsToday: number;
                /** @description Credits charged for requests made with all keys of the account today (UTC). */
                creditsToday: number;
                /** @description Live requests that the account has left today (UTC), exact; null for a test key. */
                remainingToday: number | null;
            };
            /** @description All endpoints, and whether this key can call them. */
            endpoints: {
                /** @description HTTP method. */
                method: string;
                /** @description Path after `/v1`, with parameters in braces. */
                path: string;
                /** @description Scope required by the endpoint, or any-key. */
                scope: string;
                /** @description Price in plain English. */
                cost: string;
                /**
                 * @description Keys that can call the endpoint: all, test keys only, or none yet.
                 * @enum {string}
                 */
                availability: "open" | "test-only" | "coming-soon";
                /** @description True if this key can call the endpoint now. */
                callable: boolean;
                /** @description Error code that a call would return, or null. */
                reason: string | null;
            }[];
        };
        ReferenceProvider: {
            /** @description Stable key of the provider. */
            slug: string;
            /** @description Display name. */
            name: string;
        };
        ReferenceProduct: {
            /** @description Stable product ID. */
            sourceKey: string;
            /** @description Display name of the account. */
            name: string;
            /** @description Display name of the provider. */
            provider: string;
            /** @description Slug of the provider, as in /reference/providers. */
            providerSlug: string;
            /** @description Display label of the account type. */
            accountType: string;
        };
        ReferenceCard: {
            /** @description Stable card ID. */
            sourceKey: string;
            /** @description Display name of the card. */
            name: string;
            /** @description Display name of the provider. */
            provider: string;
            /** @description Slug of the provider; null if it is not in the rates data. */
            providerSlug: string | null;
            /**
             * @description List that the card is on.
             * @enum {string}
             */
            list: "rewards" | "travel";
        };
        Currency: {
            /** @description ISO 4217 code. */
            code: string;
            /** @description English name. */
            name: string;
            /** @description World region. */
            region: string;
        };
        AccountType: {
            /**
             * @description Value of the `type` parameter.
             * @enum {string}
             */
            value: "all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings";
            /** @description Display label, as in accountType. */
            label: string;
            /** @description Description of the account type, one sentence. */
            description: string;
        };
        FscsBrand: {
            /** @description Brand name. */
            brand: string;
            /** @description Firm that holds the deposits. */
            legalName: string;
            /** @description FCA firm reference number; null if not verified. */
            frn: string | null;
            /** @description Protection scheme. */
            scheme: string;
            /** @description Country of the firm. */
            country: string;
            /** @description Owner of the firm. */
            owner: string;
            /** @description Country of the owner. */
            ownerCountry: string;
            /** @description Other brands on the same licence, which share one limit. */
            sharesLicenceWith: string[];
            /** @description Brands with the same value share one limit. */
            licenceGroup: string;
            /** @description False for platforms and e-money firms. */
            isBank: boolean;
            /** @description Protection limit per person in limitCurrency; null if unlimited or dependent on a partner bank; 0 if unprotected. */
            limit: number | null;
            /** @description ISO 4217 code. */
            limitCurrency: string;
            /** @description FSCS limit per person and licence, GBP; the same on every row. It applies only if fscsProtected is true; `limit` is the limit of this brand. */
            fscsLimit: number;
            /** @description FSCS limit for a joint account of two people, GBP. */
            fscsJointLimit: number;
            /** @description FSCS limit for a temporary high balance, GBP. */
            temporaryHighBalanceLimit: number;
            /** @description Number of months for which a temporary high balance is covered. */
            temporaryHighBalanceMonths: number;
            /** @description Slug of the brand in the rates data; null if it is not a provider there. */
            providerSlug: string | null;
            /**
             * Format: date
             * @description Date on which this list was last verified.
             */
            verifiedOn: string;
            /** @description Confidence in the row: high or medium. */
            confidence: string;
            /** @description Additional note, one sentence; null if there is none. */
            note: string | null;
            /** @description True if the FSCS protects deposits with this brand itself. False for e-money firms, platforms, NS&I and foreign schemes. */
            fscsProtected: boolean;
        };
        ProductLink: {
            /** @description Stable product ID. */
            sourceKey: string;
            /** @description Display name of the provider. */
            provider: string;
            /** @description Slug of the provider, as in /reference/providers. */
            providerSlug: string;
            /** @description Display name of the account. */
            accountName: string;
            /**
             * Format: uri
             * @description URL of the product's page on the provider's site.
             */
            url: string;
            /**
             * Format: date-time
             * @description Time the URL was last checked, UTC.
             */
            checkedAt: string;
        };
        RateComponents: {
            /** @description ID of the change that started the period, as in /history. */
            id: string;
            /** @description Stable product ID. */
            sourceKey: string;
            /** @description Display name of the provider. */
            provider: string;
            /** @description Slug of the provider. */
            providerSlug: string;
            /** @description Name of the account at the time. */
            accountName: string;
            /** @description Display label of the account type. */
            accountType: string;
            /**
             * Format: date
             * @description First day of the period. ISO 8601 date.
             * @example 2026-11-21
             */
            effectiveFrom: string;
            effectiveTo: string | null;
            /**
             * @description Rate excluding the bonus. In percent with two decimals.
             * @example 4.50
             */
            baseRate: string;
            /**
             * @description Bonus rate; 0.00 if there is no bonus. In percent with two decimals.
             * @example 4.50
             */
            boostRate: string;
            /**
             * @description Total of base rate and bonus, AER. In percent with two decimals.
             * @example 4.50
             */
            rate: string;
            /** @description Duration of the bonus, for example "12 months"; null if there is no bonus. */
            boostDuration: string | null;
            boostEndsOn: string | null;
        };
        RateTrend: {
            /** @description Stable ID of the series. */
            seriesId: string;
            /** @description Short description of the series. */
            label: string;
            /** @description Display label of the account type. */
            accountType: string;
            /** @description Slug of the provider whose products are included; null for the whole market. */
            providerSlug: string | null;
            /** @description ID of the product; null for a group of products. */
            sourceKey: string | null;
            /**
             * @description Best, average or median rate of the products, or the rate of a single product.
             * @enum {string}
             */
            metric: "best" | "average" | "median" | "product";
            /**
             * @description Unit of every value.
             * @constant
             * @enum {string}
             */
            unit: "percent";
            /** @description Data points, oldest first; days without products are omitted. */
            points: {
                /**
                 * Format: date
                 * @description Date of the point. ISO 8601 date.
                 * @example 2026-11-21
                 */
                date: string;
                /**
                 * @description Rate on that day. In percent with two decimals.
                 * @example 4.50
                 */
                value: string;
            }[];
            /**
             * Format: date
             * @description Date of the first point. ISO 8601 date.
             * @example 2026-11-21
             */
            first: string;
            /**
             * Format: date
             * @description Date of the last point. ISO 8601 date.
             * @example 2026-11-21
             */
            last: string;
            /**
             * @description Difference between the last and the first value in percentage points, signed, for example "-0.25".
             * @example +0.25
             */
            change: string;
            /** @description URL of the provider's logo; Enterprise plan only. */
            providerLogoUrl?: string | null;
        };
        Provider: {
            /** @description Stable key of the provider, as in /reference/providers. */
            slug: string;
            /** @description Display name. */
            name: string;
            /** @description Absolute URL of the provider's logo; null if it has none. */
            logoUrl: string | null;
            /** @description Registered name of the firm. */
            legalName: string;
            /** @description FCA firm reference number as a string; null if unknown. */
            frn: string | null;
            /**
             * @description Type of firm.
             * @enum {string}
             */
            providerType: "bank" | "building-society" | "government" | "platform" | "e-money" | "credit-union";
            /**
             * Format: uri
             * @description Home page of the provider.
             */
            website: string;
            /** @description Year founded; null if unknown. */
            founded: number | null;
            /** @description Town of the head office; null if unknown. */
            headquarters: string | null;
            /** @description Owner; null if unknown or none. */
            ownerName: string | null;
            /** @description Country of the owner, ISO 3166-1 alpha-2; null if unknown. */
            ownerCountry: string | null;
            /** @description Deposit protection scheme. */
            protectionScheme: string;
            protectionLimit: string | null;
            /** @description Providers with the same value share one licence and one protection limit. */
            licenceGroup: string;
            /** @description Slugs of the other providers on the same licence. */
            sharesLicenceWith: string[];
            /** @description Average customer review score from 0.0 to 5.0, one decimal; null if there is none. */
            trustScore: string | null;
            /** @description Number of reviews behind trustScore; null if unknown. */
            trustReviewCount: number | null;
            /** @description Source of the reviews. */
            trustSource: string | null;
            trustAsOf: string | null;
            /** @description Number of listed savings products. */
            productCount: number;
            topRate: string | null;
            /** @description Account types of its products, as `type` on /rates. */
            accountTypes: ("all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings")[];
            /** @description True if the firm participates in the Current Account Switch Service. */
            cassParticipant: boolean;
            /**
             * Format: date-time
             * @description Time of the last change to the record, ISO 8601 UTC.
             * @example 2026-11-21T06:00:00.000Z
             */
            updatedAt: string;
            /**
             * @description On lists with withdrawn=include: time of the withdrawal, ISO 8601 UTC, or null if the record is still listed. Otherwise null.
             * @example null
             */
            withdrawnAt: string | null;
        };
        ProviderWithProducts: {
            /** @description Stable key of the provider, as in /reference/providers. */
            slug: string;
            /** @description Display name. */
            name: string;
            /** @description Absolute URL of the provider's logo; null if it has none. */
            logoUrl: string | null;
            /** @description Registered name of the firm. */
            legalName: string;
            /** @description FCA firm reference number as a string; null if unknown. */
            frn: string | null;
            /**
             * @description Type of firm.
             * @enum {string}
             */
            providerType: "bank" | "building-society" | "government" | "platform" | "e-money" | "credit-union";
            /**
             * Format: uri
             * @description Home page of the provider.
             */
            website: string;
            /** @description Year founded; null if unknown. */
            founded: number | null;
            /** @description Town of the head office; null if unknown. */
            headquarters: string | null;
            /** @description Owner; null if unknown or none. */
            ownerName: string | null;
            /** @description Country of the owner, ISO 3166-1 alpha-2; null if unknown. */
            ownerCountry: string | null;
            /** @description Deposit protection scheme. */
            protectionScheme: string;
            protectionLimit: string | null;
            /** @description Providers with the same value share one licence and one protection limit. */
            licenceGroup: string;
            /** @description Slugs of the other providers on the same licence. */
            sharesLicenceWith: string[];
            /** @description Average customer review score from 0.0 to 5.0, one decimal; null if there is none. */
            trustScore: string | null;
            /** @description Number of reviews behind trustScore; null if unknown. */
            trustReviewCount: number | null;
            /** @description Source of the reviews. */
            trustSource: string | null;
            trustAsOf: string | null;
            /** @description Number of listed savings products. */
            productCount: number;
            topRate: string | null;
            /** @description Account types of its products, as `type` on /rates. */
            accountTypes: ("all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings")[];
            /** @description True if the firm participates in the Current Account Switch Service. */
            cassParticipant: boolean;
            /**
             * Format: date-time
             * @description Time of the last change to the record, ISO 8601 UTC.
             * @example 2026-11-21T06:00:00.000Z
             */
            updatedAt: string;
            /**
             * @description On lists with withdrawn=include: time of the withdrawal, ISO 8601 UTC, or null if the record is still listed. Otherwise null.
             * @example null
             */
            withdrawnAt: string | null;
            /** @description Savings products, best rate first; at most 500. */
            products: components["schemas"]["SavingsProduct"][];
        };
        ServiceQuality: {
            /** @description Provider that the surveys cover. */
            provider: {
                /** @description Slug of the provider. */
                slug: string;
                /** @description Display name. */
                name: string;
                /** @description Absolute URL of the provider's logo; null if it has none. */
                logoUrl: string | null;
            };
            /** @description Latest survey of each region, Great Britain first. */
            surveys: {
                /** @description Name of the survey. */
                survey: string;
                /** @description Publisher of the survey. */
                publisher: string;
                /**
                 * @description Great Britain or Northern Ireland.
                 * @enum {string}
                 */
                region: "GB" | "NI";
                /**
                 * Format: date
                 * @description First day of the survey. ISO 8601 date.
                 * @example 2026-11-21
                 */
                periodStart: string;
                /**
                 * Format: date
                 * @description Last day of the survey. ISO 8601 date.
                 * @example 2026-11-21
                 */
                periodEnd: string;
                /**
                 * Format: date
                 * @description Date of publication. ISO 8601 date.
                 * @example 2026-11-21
                 */
                publishedAt: string;
                nextPublication: string | null;
                /** @description Number of the provider's customers surveyed; null if unknown. */
                sampleSize: number | null;
                /** @description Number of providers in this region's survey. */
                providersRanked: number;
                /** @description Overall service quality. Null if there were fewer than 100 responses. */
                overall: {
                    /** @description Percentage of respondents who are extremely or very likely to recommend the provider for this service. */
                    percent: number;
                    /** @description Rank among the scored providers, starting at 1. */
                    rank: number;
                    /** @description True if the rank is shared. */
                    jointRank: boolean;
                    /** @description Number of providers scored. */
                    rankOf: number;
                } | null;
                /** @description Online and mobile banking. Null if there were fewer than 100 responses. */
                onlineAndMobile: {
                    /** @description Percentage of respondents who are extremely or very likely to recommend the provider for this service. */
                    percent: number;
                    /** @description Rank among the scored providers, starting at 1. */
                    rank: number;
                    /** @description True if the rank is shared. */
                    jointRank: boolean;
                    /** @description Number of providers scored. */
                    rankOf: number;
                } | null;
                /** @description Overdraft services. Null if there were fewer than 100 responses. */
                overdraft: {
                    /** @description Percentage of respondents who are extremely or very likely to recommend the provider for this service. */
                    percent: number;
                    /** @description Rank among the scored providers, starting at 1. */
                    rank: number;
                    /** @description True if the rank is shared. */
                    jointRank: boolean;
                    /** @description Number of providers scored. */
                    rankOf: number;
                } | null;
                /** @description Services in branches; null if the bank has none. Null if there were fewer than 100 responses. */
                branch: {
                    /** @description Percentage of respondents who are extremely or very likely to recommend the provider for this service. */
                    percent: number;
                    /** @description Rank among the scored providers, starting at 1. */
                    rank: number;
                    /** @description True if the rank is shared. */
                    jointRank: boolean;
                    /** @description Number of providers scored. */
                    rankOf: number;
                } | null;
                /**
                 * Format: uri
                 * @description URL of the survey methodology.
                 */
                methodologyUrl: string;
                /** @description Average days to open an account; null if unknown. */
                accountOpeningDays: number | null;
                /** @description Average days to replace a debit card; null if unknown. */
                debitCardReplacementDays: number | null;
                /** @description Major operational and security incidents in the last year; null if unknown. */
                majorIncidentsLastYear: number | null;
                /**
                 * Format: date-time
                 * @description Time of the last change to the record, ISO 8601 UTC.
                 * @example 2026-11-21T06:00:00.000Z
                 */
                updatedAt: string;
            }[];
        };
        AccountOffer: {
            /** @description Stable ID of the offer. */
            offerKey: string;
            /** @description Display name of the provider. */
            provider: string;
            /** @description Slug of the provider; null if it is not in the rates data. */
            providerSlug: string | null;
            /** @description Absolute URL of the provider's logo; null if it has none. */
            logoUrl: string | null;
            /** @description Name of the account. */
            accountName: string;
            /** @description Account type: current-account, packaged, premium, student, graduate, children or basic. */
            accountType: string;
            /** @description One-line summary of the offer. */
            headline: string;
            creditInterestRate: string | null;
            creditInterestMaxBalance: string | null;
            cashbackRate: string | null;
            /** @description Spending categories that earn cashback. */
            cashbackCategories: string[];
            cashbackCap: string | null;
            /**
             * @description Monthly account fee. In GBP with two decimals.
             * @example 125.00
             */
            monthlyFee: string;
            overdraftRate: string | null;
            overdraftInterestFreeAmount: string | null;
            /** @description Duration of the introductory terms, such as "12 months"; null if they are permanent. */
            introductoryPeriod: string | null;
            minPayIn: string | null;
            /** @description Minimum number of active direct debits; null if there is none. */
            minDirectDebits: number | null;
            linkedSaverRate: string | null;
            /**
             * Format: date
             * @description First day of the offer. ISO 8601 date.
             * @example 2026-11-21
             */
            startDate: string;
            endDate: string | null;
            /** @description True if only new customers are eligible. */
            newCustomersOnly: boolean;
            /**
             * Format: uri
             * @description URL of the offer's terms.
             */
            termsUrl: string;
            /** @description General note about the offer, for example that it is fictional; null if there is none. */
            note: string | null;
            /**
             * Format: date-time
             * @description Time of the last change to the record, ISO 8601 UTC.
             * @example 2026-11-21T06:00:00.000Z
             */
            updatedAt: string;
        };
        RewardCard: {
            /** @description Stable card ID, as in /reference/cards. */
            sourceKey: string;
            /** @description Name of the card. */
            name: string;
            /** @description Display name of the issuer. */
            provider: string;
            /** @description Slug of the issuer; null if it is not a provider in the rates data. */
            providerSlug: string | null;
            /** @description Absolute URL of the provider's logo; null if it has none. */
            logoUrl: string | null;
            /** @description Absolute URL of the card image; null if there is none. */
            imageUrl: string | null;
            /**
             * @description Payment network.
             * @enum {string}
             */
            network: "visa" | "mastercard" | "amex";
            /**
             * @description Type of card.
             * @enum {string}
             */
            cardType: "credit" | "charge" | "debit" | "prepaid";
            /**
             * @description Type of reward.
             * @enum {string}
             */
            rewardType: "cashback" | "points" | "airmiles" | "vouchers";
            /** @description Name of the points or miles; null for cashback. */
            rewardCurrencyName: string | null;
            /** @description Standard earn rate: percent for cashback, points per pound otherwise, two decimals. */
            earnRate: string;
            /** @description Tiered earn rates; empty if earnRate applies to all spend. */
            rewardTiers: {
                /**
                 * @description Spend from which the tier applies. In GBP with two decimals.
                 * @example 125.00
                 */
                spendFrom: string;
                spendTo: string | null;
                /** @description Earn rate of the tier: percent for cashback, points per pound otherwise, two decimals. */
                rate: string;
                cap: string | null;
                /**
                 * @description Period of the amount.
                 * @enum {string}
                 */
                period: "day" | "week" | "month" | "quarter" | "year";
            }[];
            introRate: string | null;
            /** @description Duration of introRate in months; null if there is no introductory rate. */
            introDurationMonths: number | null;
            /** @description One-off bonus for new cardholders; null if there is none. */
            welcomeBonus: {
                /** @description Description of the bonus, in plain English. */
                description: string;
                value: string | null;
                /** @description Points or miles; null for other kinds of bonus. */
                points: number | null;
                spendRequired: string | null;
                /** @description Days to reach the required spend; null if there is no time limit. */
                withinDays: number | null;
            } | null;
            /**
             * @description Annual fee. In GBP with two decimals.
             * @example 125.00
             */
            annualFee: string;
            firstYearFee: string | null;
            representativeApr: string | null;
            purchaseRate: string | null;
            minCreditLimit: string | null;
            /**
             * @description Foreign transaction fee; 0.00 if free. In percent with two decimals.
             * @example 4.50
             */
            fxFee: string;
            /** @description Cash advance fee; null if unknown or none. */
            cashAdvanceFee: {
                /**
                 * @description Percentage of the cash withdrawn. In percent with two decimals.
                 * @example 4.50
                 */
                percent: string;
                /**
                 * @description Minimum fee. In GBP with two decimals.
                 * @example 125.00
                 */
                minimum: string;
            } | null;
            minAnnualIncome: string | null;
            estimatedAnnualValue: string | null;
            /** @description Representative example; null if the card offers no credit. */
            representativeExample: string | null;
            /** @description True if only new customers can apply. */
            newCustomersOnly: boolean;
            /**
             * Format: date-time
             * @description Time of the last change to the record, ISO 8601 UTC.
             * @example 2026-11-21T06:00:00.000Z
             */
            updatedAt: string;
        };
        TravelCard: {
            /** @description Stable card ID, as in /reference/cards. */
            sourceKey: string;
            /** @description Name of the card. */
            name: string;
            /** @description Display name of the issuer. */
            provider: string;
            /** @description Slug of the issuer; null if it is not a provider in the rates data. */
            providerSlug: string | null;
            /** @description Absolute URL of the provider's logo; null if it has none. */
            logoUrl: string | null;
            /** @description Absolute URL of the card image; null if there is none. */
            imageUrl: string | null;
            /**
             * @description Payment network.
             * @enum {string}
             */
            network: "visa" | "mastercard" | "amex";
            /**
             * @description Type of card.
             * @enum {string}
             */
            cardType: "credit" | "debit" | "prepaid";
            /**
             * @description Foreign transaction fee; 0.00 if free. In percent with two decimals.
             * @example 4.50
             */
            fxFee: string;
            weekendFxFee: string | null;
            /**
             * @description Cash withdrawal fee abroad; 0.00 if free. In percent with two decimals.
             * @example 4.50
             */
            atmFeePercent: string;
            /**
             * @description Minimum cash withdrawal fee. In GBP with two decimals.
             * @example 125.00
             */
            atmFeeMinimum: string;
            /** @description Free cash withdrawal allowance; null if there is none. */
            atmFreeLimit: {
                /**
                 * @description Cash withdrawal amount without a fee. In GBP with two decimals.
                 * @example 125.00
                 */
                amount: string;
                /**
                 * @description Period of the amount.
                 * @enum {string}
                 */
                period: "day" | "week" | "month" | "quarter" | "year";
            } | null;
            /** @description True if cash withdrawals accrue interest from day one; null if the card offers no credit. */
            cashInterestFromDay1: boolean | null;
            cashRate: string | null;
            representativeApr: string | null;
            /**
             * @description Annual fee. In GBP with two decimals.
             * @example 125.00
             */
            annualFee: string;
            /**
             * @description Source of the exchange rate.
             * @enum {string}
             */
            exchangeRateSource: "visa" | "mastercard" | "amex" | "interbank";
            /** @description Requested currency, ISO 4217; null if none was requested. */
            currency: string | null;
            /** @description Units of the requested currency per pound, mid-market rate rather than the card's rate; null if no currency was requested or the rate is unknown. */
            indicativeRate: string | null;
            indicativeRateDate: string | null;
            /**
             * @description Fees on a £100 payment in the requested currency on a weekday: 2.99 means that £102.99 leaves the account. In GBP with two decimals.
             * @example 125.00
             */
            costPer100: string;
            /** @description Supported currencies, ISO 4217, or "all". */
            supportedCurrencies: "all" | string[];
            rewardOnForeignSpend: string | null;
            /**
             * Format: date-time
             * @description Time of the last change to the record, ISO 8601 UTC.
             * @example 2026-11-21T06:00:00.000Z
             */
            updatedAt: string;
        };
        ProviderAsset: {
            /** @description Slug of the provider. */
            slug: string;
            /** @description Name of the card or provider. */
            name: string;
            /**
             * Format: uri
             * @description Absolute URL of the same image.
             */
            url: string;
            /** @description Media type of the content, such as image/svg+xml. */
            contentType: string;
            /** @description Width in pixels; null if the image has no intrinsic size. */
            width: number | null;
            /** @description Height in pixels; null if the image has no intrinsic size. */
            height: number | null;
            /** @description Permitted uses of the image. */
            licenceNote: string;
            /** @description Size of the decoded content in bytes. */
            sizeBytes: number;
            /** @description Base64-encoded content. */
            contentBase64: string;
        };
        CardAsset: {
            /** @description Stable card ID. */
            sourceKey: string;
            /** @description Name of the card or provider. */
            name: string;
            /**
             * Format: uri
             * @description Absolute URL of the same image.
             */
            url: string;
            /** @description Media type of the content, such as image/svg+xml. */
            contentType: string;
            /** @description Width in pixels; null if the image has no intrinsic size. */
            width: number | null;
            /** @description Height in pixels; null if the image has no intrinsic size. */
            height: number | null;
            /** @description Permitted uses of the image. */
            licenceNote: string;
            /** @description Size of the decoded content in bytes. */
            sizeBytes: number;
            /** @description Base64-encoded content. */
            contentBase64: string;
        };
        Simulation: {
            /** @description Simulated product; null for a plain rate. */
            sourceKey: string | null;
            /**
             * @description Opening balance. In GBP with two decimals.
             * @example 125.00
             */
            balance: string;
            /** @description Requested number of months. */
            months: number;
            /** @description Simulated number of months: less than requested if the account matures earlier. */
            simulatedMonths: number;
            /**
             * @description Opening rate, including the bonus (AER). In percent with two decimals.
             * @example 4.50
             */
            rateUsed: string;
            /**
             * @description Rate excluding the bonus (AER). In percent with two decimals.
             * @example 4.50
             */
            baseRate: string;
            /**
             * @description Bonus rate; 0.00 if there is no bonus. In percent with two decimals.
             * @example 4.50
             */
            boostRate: string;
            /** @description Last month with the bonus; null if there is no bonus or its duration is unknown. */
            boostEndsAfterMonth: number | null;
            /** @description Interest payment frequency of the product; "Annually" for a plain rate. */
            interestPaid: string;
            /**
             * @description Interest-crediting frequency of the simulation. A plain rate compounds annually.
             * @enum {string}
             */
            compounding: "daily" | "monthly" | "quarterly" | "half-yearly" | "annually" | "maturity";
            /**
             * @description Total interest. In GBP with two decimals.
             * @example 125.00
             */
            totalInterest: string;
            /**
             * @description Balance at the end. In GBP with two decimals.
             * @example 125.00
             */
            endBalance: string;
            /**
             * @description Yearly rate that gives the same end balance. In percent with two decimals.
             * @example 4.50
             */
            effectiveAer: string;
            /** @description One row per month. */
            schedule: {
                /** @description Month number, starting at 1. */
                month: number;
                /**
                 * @description Rate in the month (AER). In percent with two decimals.
                 * @example 4.50
                 */
                rate: string;
                /**
                 * @description Interest credited at the end of the month; 0.00 in a month without a credit. In GBP with two decimals.
                 * @example 125.00
                 */
                interest: string;
                /**
                 * @description Balance at the end of the month. In GBP with two decimals.
                 * @example 125.00
                 */
                balance: string;
            }[];
            /** @description Assumptions of the simulation, one sentence each. */
            assumptions: string[];
            /** @description Limitations of the simulation: balance limits, monthly deposit limits, ISA allowances, maturity, deposit protection. */
            warnings: string[];
        };
        SavingsTax: {
            /**
             * @description Tax year of the calculation.
             * @enum {string}
             */
            taxYear: "2023-24" | "2024-25" | "2025-26" | "2026-27" | "2027-28";
            /**
             * @description Other taxable income in the year. In GBP with two decimals.
             * @example 125.00
             */
            income: string;
            /**
             * @description Savings interest in the year. In GBP with two decimals.
             * @example 125.00
             */
            interest: string;
            /**
             * @description Highest band of taxable income, including interest.
             * @enum {string}
             */
            taxBand: "none" | "basic" | "higher" | "additional";
            /**
             * @description Personal allowance after the taper. In GBP with two decimals.
             * @example 125.00
             */
            personalAllowance: string;
            /**
             * @description Personal allowance that other income leaves unused and that is set against interest. In GBP with two decimals.
             * @example 125.00
             */
            personalAllowanceUsedAgainstInterest: string;
            /**
             * @description Amount available at the 0% starting rate for savings. In GBP with two decimals.
             * @example 125.00
             */
            startingRateAvailable: string;
            /**
             * @description Interest taxed at the 0% starting rate. In GBP with two decimals.
             * @example 125.00
             */
            startingRateUsed: string;
            /**
             * @description Personal savings allowance. In GBP with two decimals.
             * @example 125.00
             */
            personalSavingsAllowance: string;
            /**
             * @description Interest within the personal savings allowance. In GBP with two decimals.
             * @example 125.00
             */
            personalSavingsAllowanceUsed: string;
            /**
             * @description Interest taxed above 0%. In GBP with two decimals.
             * @example 125.00
             */
            taxableInterest: string;
            /** @description All of the interest, in the order in which allowances and rates apply. */
            breakdown: {
                /**
                 * @description Allowance or band that applies to this slice of the interest.
                 * @enum {string}
                 */
                band: "personal-allowance" | "starting-rate" | "personal-savings-allowance" | "basic" | "higher" | "additional";
                /**
                 * @description Amount of this slice. In GBP with two decimals.
                 * @example 125.00
                 */
                amount: string;
                /**
                 * @description Tax rate on this slice. In percent with two decimals.
                 * @example 4.50
                 */
                rate: string;
                /**
                 * @description Tax on this slice. The slices add up to taxDue, because the running total is rounded rather than each slice. In GBP with two decimals.
                 * @example 125.00
                 */
                tax: string;
            }[];
            /**
             * @description Tax on the interest, rounded half up once, at the end. In GBP with two decimals.
             * @example 125.00
             */
            taxDue: string;
            /**
             * @description taxDue plus the extra tax on other income if the interest reduces the personal allowance. In GBP with two decimals.
             * @example 125.00
             */
            extraTaxCausedByInterest: string;
            /**
             * @description Interest minus taxDue. In GBP with two decimals.
             * @example 125.00
             */
            netInterest: string;
            /** @description True if savings and investment income must be reported in a Self Assessment return. */
            selfAssessmentRequired: boolean;
            /** @description Rules that were applied, one sentence each. */
            notes: string[];
        };
        IsaAllowance: {
            /**
             * @description Tax year of the calculation.
             * @enum {string}
             */
            taxYear: "2023-24" | "2024-25" | "2025-26" | "2026-27" | "2027-28";
            /**
             * @description Maximum that an adult can pay into all ISAs combined. In GBP with two decimals.
             * @example 125.00
             */
            overallLimit: string;
            /** @description Paid into cash ISAs in the tax year; null if only "used" was given and is more than 0. In GBP with two decimals. */
            cash: string | null;
            /** @description Paid into stocks and shares ISAs in the tax year; null if only "used" was given and is more than 0. In GBP with two decimals. */
            stocksShares: string | null;
            /** @description Paid into innovative finance ISAs in the tax year; null if only "used" was given and is more than 0. In GBP with two decimals. */
            innovativeFinance: string | null;
            /** @description Paid into a lifetime ISA in the tax year; null if only "used" was given and is more than 0. In GBP with two decimals. */
            lifetime: string | null;
            /**
             * @description Total paid in: the sum of the amounts by type, or "used" as given. In GBP with two decimals.
             * @example 125.00
             */
            used: string;
            /**
             * @description Allowance used: "used" minus any allowance restored by withdrawals from a flexible ISA. In GBP with two decimals.
             * @example 125.00
             */
            currentYearUsed: string;
            /**
             * @description Remaining allowance: overallLimit minus currentYearUsed, at least 0.00. In GBP with two decimals.
             * @example 125.00
             */
            remaining: string;
            /**
             * @description Money from earlier years withdrawn from a flexible ISA, which can be paid back in this tax year without using allowance. In GBP with two decimals.
             * @example 125.00
             */
            replaceableEarlierYears: string;
            /**
             * @description Maximum that can be paid into cash ISAs. In GBP with two decimals.
             * @example 125.00
             */
            cashLimit: string;
            /** @description Remaining cash ISA allowance; null if it depends on the split of "used". In GBP with two decimals. */
            remainingCash: string | null;
            /**
             * @description Maximum that can be paid into a lifetime ISA, within the overall limit. In GBP with two decimals.
             * @example 125.00
             */
            lifetimeLimit: string;
            /** @description Remaining lifetime ISA allowance; null if it depends on the split of "used". In GBP with two decimals. */
            remainingLifetime: string | null;
            /** @description Government bonus on the lifetime ISA payments; 0.00 at an age when payments are not allowed; null if only "used" was given and is more than 0. In GBP with two decimals. */
            lifetimeBonus: string | null;
            /**
             * Format: date
             * @description Date (UK time) from which daysLeft is counted.
             */
            asOf: string;
            /** @description Days from asOf to 5 April, the last day of the tax year; 0 on that day and later. */
            daysLeft: number;
            /**
             * Format: date
             * @description 6 April, when the next allowance starts.
             */
            resetsOn: string;
            /** @description True if the payments are within the limits. */
            valid: boolean;
            /** @description Limits that the payments exceed; empty if there are none. */
            breaches: string[];
            /** @description Rules that were applied, one sentence each. */
            notes: string[];
        };
        SavingsGrowth: {
            /**
             * @description Opening amount. In GBP with two decimals.
             * @example 125.00
             */
            amount: string;
            /**
             * @description Deposit at the start of every month. In GBP with two decimals.
             * @example 125.00
             */
            monthly: string;
            /**
             * @description Yearly rate. In percent with two decimals.
             * @example 4.50
             */
            rate: string;
            /** @description Number of months. */
            months: number;
            /**
             * @description Interest is credited every twelve months and at the end.
             * @constant
             * @enum {string}
             */
            compounding: "annually";
            /**
             * @description Total deposits, including the opening amount. In GBP with two decimals.
             * @example 125.00
             */
            totalPaidIn: string;
            /**
             * @description Total interest. In GBP with two decimals.
             * @example 125.00
             */
            totalInterest: string;
            /**
             * @description Balance at the end. In GBP with two decimals.
             * @example 125.00
             */
            endBalance: string;
            /** @description End balance in today's money; null if "inflation" is not given. In GBP with two decimals. */
            realEndBalance: string | null;
            /** @description One row per year. */
            schedule: {
                /** @description Year number, starting at 1; the last year may be shorter than twelve months. */
                year: number;
                /**
                 * @description Deposits during the year, including the opening amount in year 1. In GBP with two decimals.
                 * @example 125.00
                 */
                paidIn: string;
                /**
                 * @description Interest credited at the end of the year. In GBP with two decimals.
                 * @example 125.00
                 */
                interest: string;
                /**
                 * @description Balance at the end of the year. In GBP with two decimals.
                 * @example 125.00
                 */
                balance: string;
            }[];
            /** @description Rules that were applied, one sentence each. */
            notes: string[];
        };
        RegularSaver: {
            /**
             * @description Deposit at the start of every month. In GBP with two decimals.
             * @example 125.00
             */
            monthly: string;
            /**
             * @description Yearly rate. In percent with two decimals.
             * @example 4.50
             */
            rate: string;
            /** @description Number of months. */
            months: number;
            /** @description Method of the interest calculation. */
            basis: string;
            /**
             * @description Total deposits. In GBP with two decimals.
             * @example 125.00
             */
            totalPaidIn: string;
            /**
             * @description Total interest. In GBP with two decimals.
             * @example 125.00
             */
            totalInterest: string;
            /**
             * @description Balance at the end. In GBP with two decimals.
             * @example 125.00
             */
            endBalance: string;
            /**
             * @description Average of the balances that earned interest. In GBP with two decimals.
             * @example 125.00
             */
            averageBalance: string;
            /**
             * @description Interest as a percentage of the deposits. Lower than the rate, because later deposits earn interest for fewer months. In percent with two decimals.
             * @example 4.50
             */
            effectiveReturn: string;
            /** @description One row per month. */
            schedule: {
                /** @description Month number, starting at 1. */
                month: number;
                /**
                 * @description Deposit at the start of the month. In GBP with two decimals.
                 * @example 125.00
                 */
                deposit: string;
                /**
                 * @description Interest that this deposit earns until the next interest credit, rounded separately. In GBP with two decimals.
                 * @example 125.00
                 */
                depositInterest: string;
                /**
                 * @description Interest credited at the end of the month; 0.00 in a month without a credit. In GBP with two decimals.
                 * @example 125.00
                 */
                interest: string;
                /**
                 * @description Balance at the end of the month. In GBP with two decimals.
                 * @example 125.00
                 */
                balance: string;
            }[];
            /** @description Rules that were applied, one sentence each. */
            notes: string[];
        };
        ExchangeRate: {
            /** @description ISO 4217 code, as in /reference/currencies. */
            currency: string;
            /** @description English name of the currency. */
            name: string;
            /**
             * @description Base currency of the rates.
             * @constant
             * @enum {string}
             */
            base: "GBP";
            /** @description Units of the currency per pound, as an exact decimal. */
            rate: string;
            /** @description Pounds per unit of the currency, to eight significant digits. */
            inverseRate: string;
            /**
             * Format: date
             * @description Date of the rate.
             */
            date: string;
            /** @description Publisher of the rate. */
            source: string;
            /** @description Reuse licence of the publisher. */
            licence: string;
            /**
             * Format: date-time
             * @description Time the rate was fetched from the source, ISO 8601 UTC.
             */
            fetchedAt: string;
            /** @description True if the rate is more than five days old. */
            stale: boolean;
        };
        ExchangeRateOfDay: {
            /**
             * Format: date
             * @description Date of the rate.
             */
            date: string;
            /** @description ISO 4217 code, as in /reference/currencies. */
            currency: string;
            /**
             * @description Base currency of the rates.
             * @constant
             * @enum {string}
             */
            base: "GBP";
            /** @description Units of the currency per pound, as an exact decimal. */
            rate: string;
            /** @description Change in percent from the previous listed rate of the currency, which may be a week or more earlier; signed, two decimals; null for the oldest rate. */
            changePercent: string | null;
            /** @description Publisher of the rate. */
            source: string;
            /** @description Reuse licence of the publisher. */
            licence: string;
            /**
             * Format: date-time
             * @description Time the rate was fetched from the source, ISO 8601 UTC.
             */
            fetchedAt: string;
        };
        MarketOverview: {
            /** @description Time of the last change to the market data, ISO 8601 UTC; null for an empty market. */
            asOf: string | null;
            /** @description Bank of England Bank Rate in percent, two decimals; null if unknown. */
            bankRate: string | null;
            /** @description First day of that Bank Rate, ISO 8601 date. */
            bankRateChangedOn: string | null;
            /** @description Date of the next announced Bank Rate decision; null while no source provides it. */
            nextMpcDate: string | null;
            /** @description Consumer prices index, latest annual rate in percent, two decimals; null if unknown. */
            cpi: string | null;
            /** @description Month of the CPI rate, for example "2026-08". */
            cpiMonth: string | null;
            /** @description Number of listed savings products. */
            productCount: number;
            /** @description Number of active providers, including those without savings products. */
            providerCount: number;
            /** @description Number of products with a rate above Bank Rate; null if Bank Rate is unknown. */
            beatingBankRate: number | null;
            /** @description Number of products with a rate before tax above CPI; null if CPI is unknown. */
            beatingInflation: number | null;
            /** @description Number of rate rises in the last seven days (UK time), including today. */
            risesLast7Days: number;
            /** @description Number of rate cuts in the last seven days (UK time), including today. */
            cutsLast7Days: number;
            /** @description The 5 providers with the best rates, best first. */
            topProviders: {
                /** @description Slug of the provider, as in /reference/providers. */
                slug: string;
                /** @description Display name. */
                name: string;
                /** @description Absolute URL of the provider's logo; null if it has none. */
                logoUrl: string | null;
                /**
                 * @description Best rate of the provider, AER in percent with two decimals.
                 * @example 4.50
                 */
                bestRate: string;
                /**
                 * @description Account type of the product with that rate, as `type` on /rates.
                 * @enum {string}
                 */
                accountType: "all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings";
            }[];
            /** @description Best product of each account type that has products. */
            bestByType: {
                /**
                 * @description Account type, as `type` on /rates.
                 * @enum {string}
                 */
                accountType: "all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings";
                /**
                 * @description Best rate of the account type, AER in percent with two decimals.
                 * @example 4.50
                 */
                rate: string;
                /** @description Display name of the provider. */
                provider: string;
                /** @description Stable product ID; for equal rates, the one listed first on /rates. */
                sourceKey: string;
            }[];
            /** @description Sources of the public statistics. */
            sources: {
                /**
                 * @description Field that this source provides.
                 * @enum {string}
                 */
                of: "bankRate" | "cpi";
                /** @description Publisher of the data. */
                source: string;
                /** @description Reuse licence of the publisher. */
                licence: string;
                /**
                 * Format: date-time
                 * @description Latest day confirmed by the source, ISO 8601 UTC.
                 * @example 2026-11-21T00:00:00.000Z
                 */
                asOf: string;
                /**
                 * Format: date-time
                 * @description Time the latest value was fetched from the source, ISO 8601 UTC.
                 */
                fetchedAt: string;
                /** @description True if asOf is older than expected from the publication schedule, so a newer value may exist. */
                stale: boolean;
            }[];
        };
        MarketAverage: {
            /**
             * @description Account type, as `type` on /rates.
             * @enum {string}
             */
            accountType: "all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings";
            /** @description Term in months, for example "12m"; null for accounts without a term. */
            term: string | null;
            /** @description Average rate, AER in percent, rounded half up to two decimals; null if it covers fewer than 3 institutions; providers on one licence count as one institution. */
            averageRate: string | null;
            /** @description Median rate, AER in percent, rounded half up to two decimals; null if it covers fewer than 3 institutions; providers on one licence count as one institution. */
            medianRate: string | null;
            /**
             * @description Best rate, AER in percent with two decimals.
             * @example 4.50
             */
            bestRate: string;
            /** @description Number of products included. */
            productCount: number;
            /** @description Number of institutions included. */
            institutionCount: number;
            /** @description Average rate one calendar month before asOf, AER in percent, calculated the same way; null if unknown, and null if it covers fewer than 3 institutions; providers on one licence count as one institution. */
            monthAgo: string | null;
            /** @description Average rate one year before asOf, AER in percent, calculated the same way; null if unknown, and null if it covers fewer than 3 institutions; providers on one licence count as one institution. */
            yearAgo: string | null;
            /** @description Code of the comparable Bank of England average, for example "IUMWTFA"; null if there is none. */
            boeSeriesCode: string | null;
            /** @description Latest value of that series: a quoted household rate in percent, two decimals. */
            boeRate: string | null;
            /** @description Last day of the month of boeRate. */
            boeRateAsOf: string | null;
            /** @description Description of the series. */
            boeSeries: string | null;
            /** @description Publisher of boeRate. */
            boeSource: string | null;
            /** @description Reuse licence of boeRate. */
            boeLicence: string | null;
            /** @description True if boeRateAsOf is older than expected from the publication schedule. */
            boeStale: boolean | null;
            /** @description Date of the last change to the market data, UK time. */
            asOf: string | null;
        };
        CategoryStats: {
            /**
             * @description Account type, as `type` on /rates.
             * @enum {string}
             */
            accountType: "all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings";
            /** @description Number of listed products. */
            productCount: number;
            /** @description Number of providers with products of this type. */
            providerCount: number;
            /** @description Lowest rate, AER in percent with two decimals; null if there are no products. */
            minRate: string | null;
            /** @description Highest rate, AER in percent with two decimals; null if there are no products. */
            maxRate: string | null;
            /** @description Average rate, AER in percent, rounded half up to two decimals; null if it covers fewer than 3 institutions; providers on one licence count as one institution. */
            averageRate: string | null;
            /** @description 90th percentile of the rates (nearest rank), AER in percent with two decimals; null if there are no products. */
            percentile90Rate: string | null;
            /** @description Percentage of products for new customers only, rounded half up to two decimals; null if there are no products. */
            newCustomersOnlyShare: string | null;
            /** @description Percentage of products with a bonus in the rate, rounded half up to two decimals; null if there are no products. */
            withBonusShare: string | null;
            /** @description Number of rate, base rate and bonus changes in the last 30 days (UK time), including today. Excludes launches and withdrawals. */
            changesLast30Days: number;
            /** @description Percentage of products protected by the Financial Services Compensation Scheme, rounded half up to two decimals; null if there are no products. */
            fscsShare: string | null;
            /** @description Time of the last change to the market data, ISO 8601 UTC; null for an empty market. */
            asOf: string | null;
        };
        CardStats: {
            /**
             * @description Card list that the row summarises.
             * @enum {string}
             */
            category: "rewards" | "travel";
            /** @description Number of cards. */
            cardCount: number;
            /** @description Average representative APR of the credit cards, in percent, rounded half up to two decimals; null if it covers fewer than 3 institutions; providers on one licence count as one institution. */
            averageRepresentativeApr: string | null;
            /** @description Lowest foreign transaction fee, in percent with two decimals; "0.00" if free, null if there are no cards. */
            lowestFxFee: string | null;
            /** @description Number of cards without an annual fee. */
            feeFreeCount: number;
            /** @description Highest cashback on any part of the spend, in percent with two decimals; for travel cards, on foreign spend. Null if no card pays cashback. */
            highestCashback: string | null;
            /** @description Time of the last change to the market data, ISO 8601 UTC; null for an empty market. */
            asOf: string | null;
        };
        MarketHeroStats: {
            /** @description Number of listed savings products. */
            productsTracked: number;
            /** @description Number of active providers, including those without savings products. */
            providersTracked: number;
            /** @description Best rate in the market, AER in percent with two decimals; null if there are no products. */
            topRate: string | null;
            /** @description Display name of the provider with that rate; for equal rates, the one listed first on /rates. */
            topRateProvider: string | null;
            /** @description Number of rate changes, launches and withdrawals today (UK time): today's rows on /history. */
            updatesToday: number;
            /** @description Time of the last change to the market data, ISO 8601 UTC; null for an empty market. */
            asOf: string | null;
        };
        MarketBoeRate: {
            /**
             * @description Official Bank Rate in percent, two decimals.
             * @example 4.50
             */
            current: string;
            /**
             * Format: date
             * @description First day of the current rate.
             */
            effectiveDate: string;
            /** @description Previous rate in percent; null if unknown. */
            previous: string | null;
            /** @description Difference between the current and the previous rate in percentage points, signed, for example "-0.25"; null if previous is unknown. */
            change: string | null;
            /** @description Date of the next announced decision; null while no source provides it. */
            nextDecisionDate: string | null;
            /**
             * @description Series code in the Bank of England's database.
             * @constant
             * @enum {string}
             */
            series: "IUDBEDR";
            /** @description All known rate changes, newest first. */
            history: {
                /**
                 * Format: date
                 * @description First day of the rate.
                 */
                date: string;
                /**
                 * @description Rate from that day on, in percent.
                 * @example 4.50
                 */
                rate: string;
                /** @description Change in percentage points, signed; null for the first known rate and after a gap in the data. */
                change: string | null;
            }[];
            /** @description Publisher of the data. */
            source: string;
            /** @description Reuse licence of the publisher. */
            licence: string;
            /**
             * Format: date-time
             * @description Latest day confirmed by the source, ISO 8601 UTC.
             * @example 2026-11-21T00:00:00.000Z
             */
            asOf: string;
            /**
             * Format: date-time
             * @description Time the latest value was fetched from the source, ISO 8601 UTC.
             */
            fetchedAt: string;
            /** @description True if asOf is older than expected from the publication schedule, so a newer value may exist. */
            stale: boolean;
        };
        MarketEcbRate: {
            /**
             * Format: date
             * @description First day of these rates.
             */
            effectiveDate: string;
            /** @description Deposit facility rate in percent, two decimals; null if unknown. */
            depositFacility: string | null;
            /** @description Fixed rate of the main refinancing operations in percent; null if unknown. */
            mainRefinancing: string | null;
            /** @description Marginal lending facility rate in percent; null if unknown. */
            marginalLending: string | null;
            /** @description Series keys in the ECB Data Portal. */
            seriesKeys: {
                /** @description Series key of the deposit facility. */
                depositFacility: string;
                /** @description Series key of the main refinancing operations. */
                mainRefinancing: string;
                /** @description Series key of the marginal lending facility. */
                marginalLending: string;
            };
            /** @description All three rates on each day that any of them changed, newest first. */
            history: {
                /**
                 * Format: date
                 * @description First day of these rates.
                 */
                effectiveDate: string;
                /** @description Deposit facility rate in percent, two decimals; null if unknown. */
                depositFacility: string | null;
                /** @description Fixed rate of the main refinancing operations in percent; null if unknown. */
                mainRefinancing: string | null;
                /** @description Marginal lending facility rate in percent; null if unknown. */
                marginalLending: string | null;
            }[];
            /** @description Publisher of the data. */
            source: string;
            /** @description Reuse licence of the publisher. */
            licence: string;
            /**
             * Format: date-time
             * @description Latest day confirmed by the source, ISO 8601 UTC.
             * @example 2026-11-21T00:00:00.000Z
             */
            asOf: string;
            /**
             * Format: date-time
             * @description Time the latest value was fetched from the source, ISO 8601 UTC.
             */
            fetchedAt: string;
            /** @description True if asOf is older than expected from the publication schedule, so a newer value may exist. */
            stale: boolean;
        };
        MarketInflation: {
            /** @description Consumer prices index, annual rate. */
            cpi: {
                /** @description Latest twelve-month rate in percent, two decimals; null if unknown. */
                value: string | null;
                /** @description Month of the value, for example "2026-08". */
                month: string | null;
                /** @description Rate of the previous month in percent; null if unknown. */
                previous: string | null;
                /**
                 * @description Series identifier in dataset MM23.
                 * @constant
                 * @enum {string}
                 */
                seriesId: "D7G7";
            };
            /** @description Consumer prices index including housing costs, annual rate. */
            cpih: {
                /** @description Latest twelve-month rate in percent, two decimals; null if unknown. */
                value: string | null;
                /** @description Month of the value, for example "2026-08". */
                month: string | null;
                /** @description Rate of the previous month in percent; null if unknown. */
                previous: string | null;
                /**
                 * @description Series identifier in dataset MM23.
                 * @constant
                 * @enum {string}
                 */
                seriesId: "L55O";
            };
            /** @description Retail prices index, annual rate. */
            rpi: {
                /** @description Latest twelve-month rate in percent, two decimals; null if unknown. */
                value: string | null;
                /** @description Month of the value, for example "2026-08". */
                month: string | null;
                /** @description Rate of the previous month in percent; null if unknown. */
                previous: string | null;
                /**
                 * @description Series identifier in dataset MM23.
                 * @constant
                 * @enum {string}
                 */
                seriesId: "CZBH";
            };
            /** @description Release date of the latest CPI; null if unknown. */
            releaseDate: string | null;
            /** @description Date of the next announced release; null if unknown. */
            nextRelease: string | null;
            /** @description Interest rate before tax, in percent, that savings must exceed to keep up with CPI; null if CPI is unknown. */
            realRateNeeded: string | null;
            /** @description Annual rates in percent by month, newest first; unknown values are null. */
            history: {
                /** @description Month, for example "2026-08". */
                month: string;
                /** @description Consumer prices index, twelve-month rate in percent. */
                cpi: string | null;
                /** @description Consumer prices index including housing costs, twelve-month rate in percent. */
                cpih: string | null;
                /** @description Retail prices index, twelve-month rate in percent. */
                rpi: string | null;
            }[];
            /** @description Publisher of the data. */
            source: string;
            /** @description Reuse licence of the publisher. */
            licence: string;
            /**
             * Format: date-time
             * @description Latest day confirmed by the source, ISO 8601 UTC.
             * @example 2026-11-21T00:00:00.000Z
             */
            asOf: string;
            /**
             * Format: date-time
             * @description Time the latest value was fetched from the source, ISO 8601 UTC.
             */
            fetchedAt: string;
            /** @description True if asOf is older than expected from the publication schedule, so a newer value may exist. */
            stale: boolean;
        };
        Snapshot: {
            /**
             * @description List that the file contains, as in its path.
             * @enum {string}
             */
            dataset: "rates" | "providers" | "switch-offers";
            /**
             * Format: date
             * @description Day of the market, UK time. ISO 8601 date.
             * @example 2026-11-21
             */
            day: string;
            /** @description Number of rows. */
            rows: number;
            /** @description Price of a download with a live key, in credits. */
            credits: number;
            updatedUntil: string | null;
            /**
             * Format: date-time
             * @description Time at which the file was stored. ISO 8601 UTC.
             * @example 2026-11-21T06:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: uri
             * @description URL of the file.
             */
            url: string;
            /** @description The file as NDJSON, the default. */
            ndjson: {
                /**
                 * @description ETag of the file.
                 * @example W/"2Xq0nV7cPZ4hTtq9mB1sKw"
                 */
                etag: string;
                /** @description Size in bytes, without compression. */
                bytes: number;
                /** @description Size in bytes, compressed with gzip. */
                gzipBytes: number;
            };
            /** @description The file as CSV. */
            csv: {
                /**
                 * @description ETag of the file.
                 * @example W/"2Xq0nV7cPZ4hTtq9mB1sKw"
                 */
                etag: string;
                /** @description Size in bytes, without compression. */
                bytes: number;
                /** @description Size in bytes, compressed with gzip. */
                gzipBytes: number;
            };
        };
        Usage: {
            /**
             * Format: date
             * @description UTC day of the calls.
             */
            day: string;
            /** @description ID of the key, as in the portal. */
            key: string;
            /** @description Name of the key; empty if it has none. */
            keyName: string;
            /**
             * @description Mode of the key.
             * @enum {string}
             */
            mode: "test" | "live";
            /** @description Method and path, such as `GET /rates`; `Unknown path` for calls to paths that do not exist. */
            endpoint: string;
            /** @description HTTP status of the responses. */
            status: number;
            /** @description Number of calls on that day with this key, endpoint and status. */
            calls: number;
            /** @description Credits charged for these calls. */
            credits: number;
        };
        Webhook: {
            /** @description ID, starts with `whe_`. */
            id: string;
            /**
             * @description Mode of the keys that manage the endpoint. Test endpoints receive sample-market events and test events for free.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * Format: uri
             * @description URL that events are sent to.
             */
            url: string;
            /** @description Name for your own use; can be empty. */
            description: string;
            /** @description Event types that the endpoint receives. */
            types: ("rate.changed" | "product.added" | "product.withdrawn" | "switch_offer.changed" | "balance.low" | "alert.matched")[];
            /** @description Provider slugs; empty for all providers. */
            providers: string[];
            /** @description Account types; empty for all. */
            accountTypes: ("easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings")[];
            /** @description Minimum change for rate.changed, in percentage points with two decimals; null for any change. */
            minChange: string | null;
            /**
             * @description `active`, `paused` (by you), `held` (not enough credits, or the monthly cap is reached) or `disabled` (by the service).
             * @enum {string}
             */
            state: "active" | "paused" | "held" | "disabled";
            /** @description Why the service disabled the endpoint: it returned 410 (`gone`) or failed for five days (`failures`). Null otherwise. */
            stateReason: ("gone" | "failures") | null;
            /**
             * Format: date-time
             * @description Time of creation, UTC.
             */
            createdAt: string;
            /** @description Time of the first failure since the last success, UTC; null if the last attempt succeeded, or if the URL has changed since the failure. */
            failingSince: string | null;
            /** @description Time until which deliveries are also signed with the previous secret, UTC; null outside a rotation. */
            oldSecretEndsAt: string | null;
            /** @description Number of waiting deliveries; 10,001 means more than 10,000. */
            waiting: number;
            /** @description Success rate of the attempts in the last seven days (the newest 1,000 at most), from 0 to 1; null if there were none. */
            successRate: number | null;
        };
        CreatedWebhook: {
            /** @description ID, starts with `whe_`. */
            id: string;
            /**
             * @description Mode of the keys that manage the endpoint. Test endpoints receive sample-market events and test events for free.
             * @enum {string}
             */
            mode: "test" | "live";
            /**
             * Format: uri
             * @description URL that events are sent to.
             */
            url: string;
            /** @description Name for your own use; can be empty. */
            description: string;
            /** @description Event types that the endpoint receives. */
            types: ("rate.changed" | "product.added" | "product.withdrawn" | "switch_offer.changed" | "balance.low" | "alert.matched")[];
            /** @description Provider slugs; empty for all providers. */
            providers: string[];
            /** @description Account types; empty for all. */
            accountTypes: ("easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings")[];
            /** @description Minimum change for rate.changed, in percentage points with two decimals; null for any change. */
            minChange: string | null;
            /**
             * @description `active`, `paused` (by you), `held` (not enough credits, or the monthly cap is reached) or `disabled` (by the service).
             * @enum {string}
             */
            state: "active" | "paused" | "held" | "disabled";
            /** @description Why the service disabled the endpoint: it returned 410 (`gone`) or failed for five days (`failures`). Null otherwise. */
            stateReason: ("gone" | "failures") | null;
            /**
             * Format: date-time
             * @description Time of creation, UTC.
             */
            createdAt: string;
            /** @description Time of the first failure since the last success, UTC; null if the last attempt succeeded, or if the URL has changed since the failure. */
            failingSince: string | null;
            /** @description Time until which deliveries are also signed with the previous secret, UTC; null outside a rotation. */
            oldSecretEndsAt: string | null;
            /** @description Number of waiting deliveries; 10,001 means more than 10,000. */
            waiting: number;
            /** @description Success rate of the attempts in the last seven days (the newest 1,000 at most), from 0 to 1; null if there were none. */
            successRate: number | null;
            /** @description Signing secret, which no other response contains. */
            secret: string;
        };
        DeletedObject: {
            /** @description ID of the deleted object. */
            id: string;
            /**
             * @description Always true.
             * @constant
             * @enum {boolean}
             */
            deleted: true;
        };
        RotatedWebhookSecret: {
            /** @description ID, starts with `whe_`. */
            id: string;
            /** @description Signing secret, which no other response contains. */
            secret: string;
            /**
             * Format: date-time
             * @description Time until which deliveries are also signed with the previous secret, UTC.
             */
            oldSecretEndsAt: string;
        };
        TestDelivery: {
            /** @description ID of the test event. */
            event: string;
            /** @description ID of the delivery. */
            delivery: string;
        };
        WebhookDelivery: {
            /** @description ID, starts with `dlv_`. */
            id: string;
            /** @description ID of the webhook endpoint. */
            webhook: string;
            /** @description ID of the event, the same for every endpoint that receives it. */
            event: string;
            /**
             * @description Event type.
             * @enum {string}
             */
            type: "rate.changed" | "product.added" | "product.withdrawn" | "switch_offer.changed" | "balance.low" | "alert.matched";
            /**
             * @description `waiting` (for an attempt), `delivered`, `dead` (the final attempt failed) or `cancelled` (its endpoint was deleted).
             * @enum {string}
             */
            state: "waiting" | "delivered" | "dead" | "cancelled";
            /** @description True for test events. */
            isTest: boolean;
            /** @description Number of attempts so far. A manual redelivery resets it to 0. */
            attempts: number;
            /** @description HTTP status of the last attempt; null if there was no response or no attempt yet. */
            lastStatus: number | null;
            /** @description Credits charged for the delivery. */
            creditsCharged: number;
            /**
             * Format: date-time
             * @description Time of creation, UTC.
             */
            createdAt: string;
            /** @description Time of the next attempt, UTC; null if there is none. */
            nextAttemptAt: string | null;
            /** @description Time of the first 2xx response, UTC; null if there was none. */
            deliveredAt: string | null;
        };
        WebhookDeliveryDetails: {
            /** @description ID, starts with `dlv_`. */
            id: string;
            /** @description ID of the webhook endpoint. */
            webhook: string;
            /** @description ID of the event, the same for every endpoint that receives it. */
            event: string;
            /**
             * @description Event type.
             * @enum {string}
             */
            type: "rate.changed" | "product.added" | "product.withdrawn" | "switch_offer.changed" | "balance.low" | "alert.matched";
            /**
             * @description `waiting` (for an attempt), `delivered`, `dead` (the final attempt failed) or `cancelled` (its endpoint was deleted).
             * @enum {string}
             */
            state: "waiting" | "delivered" | "dead" | "cancelled";
            /** @description True for test events. */
            isTest: boolean;
            /** @description Number of attempts so far. A manual redelivery resets it to 0. */
            attempts: number;
            /** @description HTTP status of the last attempt; null if there was no response or no attempt yet. */
            lastStatus: number | null;
            /** @description Credits charged for the delivery. */
            creditsCharged: number;
            /**
             * Format: date-time
             * @description Time of creation, UTC.
             */
            createdAt: string;
            /** @description Time of the next attempt, UTC; null if there is none. */
            nextAttemptAt: string | null;
            /** @description Time of the first 2xx response, UTC; null if there was none. */
            deliveredAt: string | null;
            /** @description The event's data, as sent; null for a live market event until it is delivered and charged. */
            data: {
                [key: string]: unknown;
            } | null;
            /** @description Latest attempts, newest first, at most 100. */
            tries: {
                /**
                 * Format: date-time
                 * @description Time of the attempt, UTC.
                 */
                at: string;
                /** @description True if the receiver returned 2xx. */
                isDelivered: boolean;
                /** @description HTTP status; null if there was no response. */
                status: number | null;
                /** @description Reason for the missing response; null if there was a response. */
                fault: string | null;
                /** @description Duration in milliseconds. */
                totalMs: number;
            }[];
        };
        QueuedDelivery: {
            /** @description ID, starts with `dlv_`. */
            id: string;
            /**
             * @description Always `waiting`: the delivery is queued again.
             * @constant
             * @enum {string}
             */
            state: "waiting";
        };
        SentEvent: {
            /** @description ID of the event, as in the body of the webhook. */
            id: string;
            /**
             * @description Event type.
             * @enum {string}
             */
            type: "rate.changed" | "product.added" | "product.withdrawn" | "switch_offer.changed" | "balance.low" | "alert.matched";
            /**
             * Format: date-time
             * @description Time of the event, UTC.
             */
            createdAt: string;
            /** @description The event's data, as sent. */
            data: {
                [key: string]: unknown;
            };
            /** @description True for test events. */
            isTest: boolean;
            /** @description ID of the webhook endpoint. */
            webhook: string;
            /** @description ID of the delivery, as in `X-SVC-Delivery`. */
            delivery: string;
            /**
             * Format: date-time
             * @description Time of the first successful delivery, UTC. For test events and events about the account: time of creation.
             */
            sentAt: string;
        };
        SampleEvent: {
            /**
             * @description Event type.
             * @enum {string}
             */
            type: "rate.changed" | "product.added" | "product.withdrawn" | "switch_offer.changed" | "balance.low" | "alert.matched";
            /** @description The event's data, as in a test event. */
            data: {
                [key: string]: unknown;
            };
        };
        Alert: {
            /** @description ID, starts with `alr_`. */
            id: string;
            /** @description Name of the alert, used as the subject of its emails. */
            name: string;
            /**
             * @description What the alert tracks: products that match the filter (`products`), the products of certain providers (`providers`) or Bank Rate (`bank-rate`).
             * @enum {string}
             */
            kind: "products" | "providers" | "bank-rate";
            /** @description Filters of /rates as a query string, such as `type=easy-access&minRate=4.6`. Only for alerts of kind `products`, which need at least one filter. */
            filter: string;
            /** @description Provider slugs. Only for alerts of kind `providers`, which need at least one slug. */
            providers: string[];
            /**
             * @description When emails are sent: as soon as changes are found (`immediate`), or once a day at 08:00 UK time with the changes of all daily alerts (`daily`).
             * @enum {string}
             */
            frequency: "immediate" | "daily";
            /** @description True to email the owner of the alert: the member who created the key or, if that member can no longer manage alerts, the account owner. */
            email: boolean;
            /** @description True to send alert.matched to the webhook endpoints that are subscribed to it. */
            webhook: boolean;
            /**
             * @description A paused alert reports nothing. Once resumed, it reports only later changes.
             * @enum {string}
             */
            state: "active" | "paused";
            /**
             * Format: date-time
             * @description Time of creation, UTC.
             */
            createdAt: string;
            /** @description Time at which changes were last found, UTC; null if none have been found yet. */
            lastFoundAt: string | null;
        };
        /** @description A parameter, a header or the body is not valid. */
        InvalidRequestError: {
            /**
             * @description Stable error code.
             * @constant
             * @enum {string}
             */
            error: "invalid_request";
            /** @description What went wrong and what to do next. */
            message: string;
            /** @description Request ID. Include it when you contact support. */
            requestId: string;
            /**
             * Format: uri
             * @description Documentation of this error.
             */
            docs: string;
        };
        /** @description The Authorization header is missing or is not a Bearer token. */
        MissingApiKeyError: {
            /**
             * @description Stable error code. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "missing_api_key";
            /** @description What went wrong and what to do next. */
            message: string;
            /** @description Request ID. Include it when you contact support. */
            requestId: string;
            /**
             * Format: uri
             * @description Documentation of this error.
             */
            docs: string;
        };
        /** @description The key does not exist. */
        InvalidApiKeyError: {
            /**
             * @description Stable error code. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "invalid_api_key";
            /** @description What went wrong and what to do next. */
            message: string;
            /** @description Request ID. Include it when you contact support. */
            requestId: string;
            /**
             * Format: uri
             * @description Documentation of this error.
             */
            docs: string;
        };
        /** @description The balance or a spending limit does not cover the call or, for a list, a single row. */
        InsufficientCreditsError: {
            /**
             * @description Stable error code.
             * @constant
             * @enum {string}
             */
            error: "insufficient_credits";
            /** @description What went wrong and what to do next. */
            message: string;
            /** @description Request ID. Include it when you contact support. */
            requestId: string;
            /**
             * Format: uri
             * @description Documentation of this error.
             */
            docs: string;
            /** @description Price of one row, or of the call, in whole credits. */
            required: number;
            /** @description Current balance in whole credits. */
            balance: number;
            /**
             * Format: uri
             * @description URL of the page where you buy credits.
             */
            topUp: string;
            /**
             * @description `spend_cap` (monthly cap of the key or account), `max_credits` (X-SVC-Max-Credits) or `debt` (negative balance). Omitted if the balance is too low.
             * @enum {string}
             */
            reason?: "spend_cap" | "max_credits" | "debt";
        };
        /** @description The key has been revoked or has expired. */
        KeyRevokedError: {
            /**
             * @description Stable error code. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "key_revoked";
            /** @description What went wrong and what to do next. */
            message: string;
            /** @description Request ID. Include it when you contact support. */
            requestId: string;
            /**
             * Format: uri
             * @description Documentation of this error.
             */
            docs: string;
            /**
             * @description `expired` if the key has expired; omitted if the key was revoked.
             * @constant
             * @enum {string}
             */
            reason?: "expired";
        };
        /** @description The account is blocked, or is not approved for live calls yet. */
        AccountBlockedError: {
            /**
             * @description Stable error code. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "account_blocked";
            /** @description What went wrong and what to do next. */
            message: string;
            /** @description Request ID. Include it when you contact support. */
            requestId: string;
            /**
             * Format: uri
             * @description Documentation of this error.
             */
            docs: string;
            /** @description `review_pending`, `review_declined`, or the reason why we blocked the account; null if we gave no reason. */
            reason: string | null;
        };
        /** @description The key does not have the scope that the endpoint needs. */
        InsufficientScopeError: {
            /**
             * @description Stable error code. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "insufficient_scope";
            /** @description What went wrong and what to do next. */
            message: string;
            /** @description Request ID. Include it when you contact support. */
            requestId: string;
            /**
             * Format: uri
             * @description Documentation of this error.
             */
            docs: string;
            /** @description Scope that the endpoint needs. */
            required: string;
        };
        /** @description The key has an IP allow-list and the caller's address is not on it. */
        IpNotAllowedError: {
            /**
             * @description Stable error code. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "ip_not_allowed";
            /** @description What went wrong and what to do next. */
            message: string;
            /** @description Request ID. Include it when you contact support. */
            requestId: string;
            /**
             * Format: uri
             * @description Documentation of this error.
             */
            docs: string;
        };
        /** @description The Data Licence changed and the deadline to accept it has passed. */
        LicenceReacceptanceRequiredError: {
            /**
             * @description Stable error code. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "licence_reacceptance_required";
            /** @description What went wrong and what to do next. */
            message: string;
            /** @description Request ID. Include it when you contact support. */
            requestId: string;
            /**
             * Format: uri
             * @description Documentation of this error.
             */
            docs: string;
        };
        /** @description A test key called an endpoint without sample data. */
        SampleDataUnavailableError: {
            /**
             * @description Stable error code. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "sample_data_unavailable";
            /** @description What went wrong and what to do next. */
            message: string;
            /** @description Request ID. Include it when you contact support. */
            requestId: string;
            /**
             * Format: uri
             * @description Documentation of this error.
             */
            docs: string;
        };
        /** @description A live key called an endpoint that only accepts test keys for now. */
        EndpointRestrictedError: {
            /**
             * @description Stable error code. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "endpoint_restricted";
            /** @description What went wrong and what to do next. */
            message: string;
            /** @description Request ID. Include it when you contact support. */
            requestId: string;
            /**
             * Format: uri
             * @description Documentation of this error.
             */
            docs: string;
        };
        /** @description A live key called an endpoint, or used a parameter, that the account's plan does not include. */
        PlanUpgradeRequiredError: {
            /**
             * @description Stable error code. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "plan_upgrade_required";
            /** @description What went wrong and what to do next. */
            message: string;
            /** @description Request ID. Include it when you contact support. */
            requestId: string;
            /**
             * Format: uri
             * @description Documentation of this error.
             */
            docs: string;
            /**
             * @description Lowest plan that includes the endpoint or parameter: `hobby`, `business` or `enterprise`.
             * @enum {string}
             */
            requiredPlan: "hobby" | "business" | "enterprise";
        };
        /** @description The route or item does not exist, or the endpoint is not launched yet. */
        NotFoundError: {
            /**
             * @description Stable error code.
             * @constant
             * @enum {string}
             */
            error: "not_found";
            /** @description What went wrong and what to do next. */
            message: string;
            /** @description Request ID. Include it when you contact support. */
            requestId: string;
            /**
             * Format: uri
             * @description Documentation of this error.
             */
            docs: string;
        };
        /** @description The data has changed since the call with this Idempotency-Key was charged, and the first response is no longer stored. */
        ReplayUnavailableError: {
            /**
             * @description Stable error code.
             * @constant
             * @enum {string}
             */
            error: "replay_unavailable";
            /** @description What went wrong and what to do next. */
            message: string;
            /** @description Request ID. Include it when you contact support. */
            requestId: string;
            /**
             * Format: uri
             * @description Documentation of this error.
             */
            docs: string;
        };
        /** @description A rate limit is reached, such as the requests per minute or per day. */
        RateLimitedError: {
            /**
             * @description Stable error code.
             * @constant
             * @enum {string}
             */
            error: "rate_limited";
            /** @description What went wrong and what to do next. */
            message: string;
            /** @description Request ID. Include it when you contact support. */
            requestId: string;
            /**
             * Format: uri
             * @description Documentation of this error.
             */
            docs: string;
            /** @description Whole seconds to wait. */
            retryAfter: number;
        };
        /** @description The service failed. */
        InternalError: {
            /**
             * @description Stable error code.
             * @constant
             * @enum {string}
             */
            error: "internal_error";
            /** @description What went wrong and what to do next. */
            message: string;
            /** @description Request ID. Include it when you contact support. */
            requestId: string;
            /**
             * Format: uri
             * @description Documentation of this error.
             */
            docs: string;
        };
    };
    responses: {
        /** @description The data has not changed since the response with this ETag. No body, no charge. */
        NotModified: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `invalid_request`: A parameter, a header or the body is not valid. Nothing is charged. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidRequestError"];
            };
        };
        /** @description `missing_api_key`: The Authorization header is missing or is not a Bearer token. `invalid_api_key`: The key does not exist. Nothing is charged. */
        Unauthorised: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MissingApiKeyError"] | components["schemas"]["InvalidApiKeyError"];
            };
        };
        /** @description `insufficient_credits`: The balance or a spending limit does not cover the call or, for a list, a single row. Nothing is charged. */
        PaymentRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InsufficientCreditsError"];
            };
        };
        /** @description `key_revoked`: The key has been revoked or has expired. `account_blocked`: The account is blocked, or is not approved for live calls yet. `insufficient_scope`: The key does not have the scope that the endpoint needs. `ip_not_allowed`: The key has an IP allow-list and the caller's address is not on it. `licence_reacceptance_required`: The Data Licence changed and the deadline to accept it has passed. `sample_data_unavailable`: A test key called an endpoint without sample data. `endpoint_restricted`: A live key called an endpoint that only accepts test keys for now. `plan_upgrade_required`: A live key called an endpoint, or used a parameter, that the account's plan does not include. Nothing is charged. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["KeyRevokedError"] | components["schemas"]["AccountBlockedError"] | components["schemas"]["InsufficientScopeError"] | components["schemas"]["IpNotAllowedError"] | components["schemas"]["LicenceReacceptanceRequiredError"] | components["schemas"]["SampleDataUnavailableError"] | components["schemas"]["EndpointRestrictedError"] | components["schemas"]["PlanUpgradeRequiredError"];
            };
        };
        /** @description `not_found`: The route or item does not exist, or the endpoint is not launched yet. Nothing is charged. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        /** @description `replay_unavailable`: The data has changed since the call with this Idempotency-Key was charged, and the first response is no longer stored. Nothing is charged. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ReplayUnavailableError"];
            };
        };
        /** @description `rate_limited`: A rate limit is reached, such as the requests per minute or per day. Nothing is charged. */
        TooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimitedError"];
            };
        };
        /** @description `internal_error`: The service failed. Nothing is charged. */
        ServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalError"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    servicePing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Ping"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    serviceMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Me"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    referenceProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ReferenceProvider"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    referenceProducts: {
        parameters: {
            query?: {
                /** @description Account type. Default: "all". */
                type?: "all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings";
                /** @description Slug of a provider, as in /reference/providers. */
                provider?: string;
                /** @description Minimum term in months. Excludes products without a term. */
                minTermMonths?: number;
                /** @description Maximum term in months. Excludes products without a term. */
                maxTermMonths?: number;
                /** @description Maximum notice period in days. Excludes products without a notice period. */
                maxNoticeDays?: number;
                /** @description Phrase contained in the withdrawal terms (`access`). Case-insensitive. */
                access?: string;
                /** @description Interest payment frequency. */
                interestPaid?: "daily" | "monthly" | "quarterly" | "half-yearly" | "annually" | "at-maturity";
                /** @description `true` lists only accounts for new customers, `false` only accounts open to everyone. */
                newCustomersOnly?: boolean;
                /** @description Licence group of the provider, as `licenceGroup` in /providers. The providers of a group share one protection limit. */
                fscsGroup?: string;
                /** @description Words in the name of the account or provider. Matches the start of words and tolerates one or two typos. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ReferenceProduct"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    referenceCards: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ReferenceCard"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    referenceCurrencies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Currency"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    referenceAccountTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccountType"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    referenceFscs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["FscsBrand"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    ratesList: {
        parameters: {
            query?: {
                /** @description Account type. Default: "all". */
                type?: "all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings";
                /** @description Slug of a provider, as in /reference/providers. */
                provider?: string;
                /** @description Balance in GBP: only products that accept it are listed. `matchReasons` says whether the amount has to be paid in over time. At most two decimals. */
                amount?: number;
                /** @description Use `now` to exclude products that cannot accept the whole amount immediately: regular savers with a lower monthly limit, and ISAs with a lower yearly allowance. Needs `amount`. */
                payable?: "now";
                /** @description Minimum rate in percent, including the bonus. At most two decimals. */
                minRate?: number;
                /** @description Maximum rate in percent, including the bonus. At most two decimals. */
                maxRate?: number;
                /** @description Opening balance in GBP. Only products that can be opened with it are listed. At most two decimals. */
                minBalance?: number;
                /** @description Product keys separated by commas, at most 50. Unknown and withdrawn products are left out. Set limit to the number of keys. */
                sourceKey?: string;
                /** @description Minimum term in months. Excludes products without a term. */
                minTermMonths?: number;
                /** @description Maximum term in months. Excludes products without a term. */
                maxTermMonths?: number;
                /** @description Maximum notice period in days. Excludes products without a notice period. */
                maxNoticeDays?: number;
                /** @description Phrase contained in the withdrawal terms (`access`). Case-insensitive. */
                access?: string;
                /** @description Interest payment frequency. */
                interestPaid?: "daily" | "monthly" | "quarterly" | "half-yearly" | "annually" | "at-maturity";
                /** @description `true` lists only accounts for new customers, `false` only accounts open to everyone. */
                newCustomersOnly?: boolean;
                /** @description Licence group of the provider, as `licenceGroup` in /providers. The providers of a group share one protection limit. */
                fscsGroup?: string;
                /** @description Words in the name of the account or provider. Matches the start of words and tolerates one or two typos. */
                q?: string;
                /** @description Return only rows with a later updatedAt (ISO 8601, UTC). Pass meta.updatedUntil from your last update to get every change since. */
                updatedSince?: string;
                /** @description Use `include` to return rows withdrawn after updatedSince too, with withdrawnAt set. Needs updatedSince, at most 90 days ago. */
                withdrawn?: "include";
                /** @description Date, UK time: returns the market as it was after that morning's import. Today or up to 30 days ago; /snapshots lists the available days. Enterprise plan only. */
                asOf?: string;
                /** @description Sort order. A leading hyphen means descending. Default: "-rate". Ties are broken by sourceKey. */
                sort?: "-rate" | "rate" | "provider" | "updatedAt" | "-updatedAt" | "minBalance" | "-minBalance";
                /** @description Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value. */
                limit?: number;
                /** @description Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Comma-separated fields to return in each row. Valid fields: sourceKey, provider, providerSlug, accountName, accountType, rate, baseRate, boostRate, boostDuration, interestPaid, interestType, access, minBalance, maxBalance, maxMonthlyDeposit, fscsDetails, newCustomersOnly, depositscoutUrl, matchReasons, updatedAt, termMonths, noticeDays, withdrawalsPerYear, maturityDate, listedSince, withdrawnAt, providerLogoUrl. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SavingsProduct"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    ratesGet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Stable product ID. */
                sourceKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SavingsProduct"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    ratesLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Stable product ID. */
                sourceKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProductLink"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    historyList: {
        parameters: {
            query?: {
                /** @description Account type. Default: "all". */
                type?: "all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings";
                /** @description Slug of a provider, as in /reference/providers. */
                provider?: string;
                /** @description Only this product, listed or withdrawn. */
                sourceKey?: string;
                /** @description First effective date, inclusive. */
                from?: string;
                /** @description Last effective date, inclusive. */
                to?: string;
                /** @description Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value. */
                limit?: number;
                /** @description Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Comma-separated fields to return in each row. Valid fields: id, sourceKey, provider, providerSlug, accountName, accountType, previousRate, newRate, rateChange, direction, effectiveDate, detectedAt, previousEffectiveDate, daysSincePreviousChange, bankRateAtChange, providerLogoUrl. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RateChange"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    historyComponents: {
        parameters: {
            query?: {
                /** @description Account type. Default: "all". */
                type?: "all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings";
                /** @description Slug of a provider, as in /reference/providers. */
                provider?: string;
                /** @description Only this product, listed or withdrawn. */
                sourceKey?: string;
                /** @description First effective date, inclusive. */
                from?: string;
                /** @description Last effective date, inclusive. */
                to?: string;
                /** @description Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value. */
                limit?: number;
                /** @description Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Comma-separated fields to return in each row. Valid fields: id, sourceKey, provider, providerSlug, accountName, accountType, effectiveFrom, effectiveTo, baseRate, boostRate, rate, boostDuration, boostEndsOn. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RateComponents"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    rateTrends: {
        parameters: {
            query?: {
                /** @description Account type. Default: "all". */
                type?: "all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings";
                /** @description Slug of a provider, to include only its products. */
                provider?: string;
                /** @description Only this product, listed or withdrawn. */
                sourceKey?: string;
                /** @description Length of the window in days, ending today. Default: 365. */
                days?: number;
                /** @description First day of the window. Alternative to "days". */
                from?: string;
                /** @description Comma-separated fields to return in each row. Valid fields: seriesId, label, accountType, providerSlug, sourceKey, metric, unit, points, first, last, change, providerLogoUrl. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RateTrend"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    providersList: {
        parameters: {
            query?: {
                /** @description Return only rows with a later updatedAt (ISO 8601, UTC). Pass meta.updatedUntil from your last update to get every change since. */
                updatedSince?: string;
                /** @description Use `include` to return rows withdrawn after updatedSince too, with withdrawnAt set. Needs updatedSince, at most 90 days ago. */
                withdrawn?: "include";
                /** @description Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value. */
                limit?: number;
                /** @description Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Comma-separated fields to return in each row. Valid fields: slug, name, logoUrl, legalName, frn, providerType, website, founded, headquarters, ownerName, ownerCountry, protectionScheme, protectionLimit, licenceGroup, sharesLicenceWith, trustScore, trustReviewCount, trustSource, trustAsOf, productCount, topRate, accountTypes, cassParticipant, updatedAt, withdrawnAt. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Provider"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    providersGet: {
        parameters: {
            query?: {
                /** @description Date, UK time: returns the market as it was after that morning's import. Today or up to 30 days ago; /snapshots lists the available days. Enterprise plan only. */
                asOf?: string;
            };
            header?: never;
            path: {
                /** @description Slug of the provider, as in /reference/providers. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProviderWithProducts"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    providersServiceQuality: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the provider, as in /reference/providers. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ServiceQuality"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    switchOffers: {
        parameters: {
            query?: {
                /** @description Return only rows with a later updatedAt (ISO 8601, UTC). Pass meta.updatedUntil from your last update to get every change since. */
                updatedSince?: string;
                /** @description Use `include` to return rows withdrawn after updatedSince too, with withdrawnAt set. Needs updatedSince, at most 90 days ago. */
                withdrawn?: "include";
                /** @description Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value. */
                limit?: number;
                /** @description Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Comma-separated fields to return in each row. Valid fields: offerKey, provider, providerSlug, logoUrl, accountName, accountKind, bonusAmount, bonusType, totalValue, extraBenefits, minPayIn, payInWithinDays, payInFrequency, minDirectDebits, directDebitsMustTransfer, minCardPayments, cardPaymentsWithinDays, digitalLoginRequired, monthlyFee, minAnnualIncome, switchWithinDays, fullSwitchRequired, cassParticipant, payoutWithinDays, startDate, endDate, newCustomersOnly, excludedIfHeldSince, previousBonusExcluded, previousBonusSince, eligibility, exclusions, termsUrl, note, status, updatedAt, withdrawnAt. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SwitchOffer"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    accountOffers: {
        parameters: {
            query?: {
                /** @description Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value. */
                limit?: number;
                /** @description Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Comma-separated fields to return in each row. Valid fields: offerKey, provider, providerSlug, logoUrl, accountName, accountType, headline, creditInterestRate, creditInterestMaxBalance, cashbackRate, cashbackCategories, cashbackCap, monthlyFee, overdraftRate, overdraftInterestFreeAmount, introductoryPeriod, minPayIn, minDirectDebits, linkedSaverRate, startDate, endDate, newCustomersOnly, termsUrl, note, updatedAt. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccountOffer"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    cardsRewards: {
        parameters: {
            query?: {
                /** @description Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value. */
                limit?: number;
                /** @description Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Comma-separated fields to return in each row. Valid fields: sourceKey, name, provider, providerSlug, logoUrl, imageUrl, network, cardType, rewardType, rewardCurrencyName, earnRate, rewardTiers, introRate, introDurationMonths, welcomeBonus, annualFee, firstYearFee, representativeApr, purchaseRate, minCreditLimit, fxFee, cashAdvanceFee, minAnnualIncome, estimatedAnnualValue, representativeExample, newCustomersOnly, updatedAt. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RewardCard"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    cardsTravel: {
        parameters: {
            query?: {
                /** @description Currency code, as in /reference/currencies. Only cards that support it are listed. */
                currency?: string;
                /** @description Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value. */
                limit?: number;
                /** @description Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Comma-separated fields to return in each row. Valid fields: sourceKey, name, provider, providerSlug, logoUrl, imageUrl, network, cardType, fxFee, weekendFxFee, atmFeePercent, atmFeeMinimum, atmFreeLimit, cashInterestFromDay1, cashRate, representativeApr, annualFee, exchangeRateSource, currency, indicativeRate, indicativeRateDate, costPer100, supportedCurrencies, rewardOnForeignSpend, updatedAt. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TravelCard"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    assetsProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the provider, as in /reference/providers. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProviderAsset"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    assetsCard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Stable card ID, as in /reference/cards. */
                sourceKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CardAsset"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    simulate: {
        parameters: {
            query: {
                /** @description Stable product ID. Give either this or "rate". */
                sourceKey?: string;
                /** @description Plain yearly rate in percent, such as 4.50. Give either this or "sourceKey". At most two decimals. */
                rate?: number;
                /** @description Opening balance, in GBP. At most two decimals. */
                amount?: number;
                /** @description Alias of "amount". Give only one of them. At most two decimals. */
                balance?: number;
                /** @description Number of months. */
                months: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Simulation"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    calculatorsSavingsTax: {
        parameters: {
            query: {
                /** @description Taxable income in the year in GBP before tax, excluding savings interest and dividends. At most two decimals. */
                income: number;
                /** @description Savings interest in the year in GBP, excluding ISA interest. At most two decimals. */
                interest: number;
                /** @description Tax year, from 6 April to 5 April, such as 2026-27. Default: the current tax year, UK time. */
                taxYear?: "2023-24" | "2024-25" | "2025-26" | "2026-27" | "2027-28";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SavingsTax"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    calculatorsIsaAllowance: {
        parameters: {
            query?: {
                /** @description Total paid into ISAs in the tax year, in GBP. At most two decimals. */
                used?: number;
                /** @description Paid into cash ISAs in the tax year, in GBP. At most two decimals. */
                cash?: number;
                /** @description Paid into stocks and shares ISAs in the tax year, in GBP. At most two decimals. */
                stocksShares?: number;
                /** @description Paid into innovative finance ISAs in the tax year, in GBP. At most two decimals. */
                innovativeFinance?: number;
                /** @description Paid into a lifetime ISA in the tax year, in GBP, excluding the bonus. At most two decimals. */
                lifetime?: number;
                /** @description Withdrawn from ISAs in the tax year, in GBP. At most two decimals. */
                withdrawn?: number;
                /** @description True if the ISA withdrawn from is flexible. Default: false. */
                flexible?: boolean;
                /** @description Age in whole years: at least 18, or 16 in 2023-24, when cash ISAs were open from that age. */
                age?: number;
                /** @description Tax year, from 6 April to 5 April, such as 2026-27. Default: the current tax year, UK time. */
                taxYear?: "2023-24" | "2024-25" | "2025-26" | "2026-27" | "2027-28";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["IsaAllowance"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    calculatorsSavingsGrowth: {
        parameters: {
            query: {
                /** @description Opening amount, in GBP. At most two decimals. */
                amount: number;
                /** @description Yearly rate in percent, such as 4.50. At most two decimals. */
                rate: number;
                /** @description Number of months. */
                months: number;
                /** @description Deposit at the start of every month, in GBP. Default: 0. At most two decimals. */
                monthly?: number;
                /** @description Yearly inflation in percent. If given, the response includes the end balance in today's money. At most two decimals. */
                inflation?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SavingsGrowth"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    calculatorsRegularSaver: {
        parameters: {
            query: {
                /** @description Deposit at the start of every month, in GBP. At most two decimals. */
                monthly: number;
                /** @description Yearly rate in percent, such as 7.00. At most two decimals. */
                rate: number;
                /** @description Number of months. */
                months: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RegularSaver"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    fxRates: {
        parameters: {
            query?: {
                /** @description Only this currency, a code from /reference/currencies. Currencies without a rate, such as GBP (the base), return an empty page, which is charged like any other; omit `currency` to see which have one. */
                currency?: string;
                /** @description Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value. */
                limit?: number;
                /** @description Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Comma-separated fields to return in each row. Valid fields: currency, name, base, rate, inverseRate, date, source, licence, fetchedAt, stale. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ExchangeRate"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    cardsFxHistory: {
        parameters: {
            query?: {
                /** @description Only this currency, a code from /reference/currencies. Currencies without a rate, such as GBP (the base), return an empty page, which is charged like any other; omit `currency` to see which have one. */
                currency?: string;
                /** @description First day, inclusive. */
                from?: string;
                /** @description Last day, inclusive. */
                to?: string;
                /** @description Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value. */
                limit?: number;
                /** @description Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Comma-separated fields to return in each row. Valid fields: date, currency, base, rate, changePercent, source, licence, fetchedAt. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ExchangeRateOfDay"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    marketOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MarketOverview"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    marketAverages: {
        parameters: {
            query?: {
                /** @description Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value. */
                limit?: number;
                /** @description Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Comma-separated fields to return in each row. Valid fields: accountType, term, averageRate, medianRate, bestRate, productCount, institutionCount, monthAgo, yearAgo, boeSeriesCode, boeRate, boeRateAsOf, boeSeries, boeSource, boeLicence, boeStale, asOf. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MarketAverage"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    marketCategoryStats: {
        parameters: {
            query?: {
                /** @description Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value. */
                limit?: number;
                /** @description Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Comma-separated fields to return in each row. Valid fields: accountType, productCount, providerCount, minRate, maxRate, averageRate, percentile90Rate, newCustomersOnlyShare, withBonusShare, changesLast30Days, fscsShare, asOf. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CategoryStats"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    marketCardStats: {
        parameters: {
            query?: {
                /** @description Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value. */
                limit?: number;
                /** @description Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Comma-separated fields to return in each row. Valid fields: category, cardCount, averageRepresentativeApr, lowestFxFee, feeFreeCount, highestCashback, asOf. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CardStats"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    marketHeroStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MarketHeroStats"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    marketBoeRate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MarketBoeRate"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    marketEcbRate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MarketEcbRate"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    marketInflation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MarketInflation"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    snapshotsList: {
        parameters: {
            query?: {
                /** @description Only files of this list. */
                dataset?: "rates" | "providers" | "switch-offers";
                /** @description Only files of this day, UK time. */
                day?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Snapshot"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    usageList: {
        parameters: {
            query?: {
                /** @description First UTC day, inclusive. Defaults to 29 days before `to`. */
                from?: string;
                /** @description Last UTC day, inclusive. Defaults to today. At most 92 days are listed at a time. */
                to?: string;
                /** @description Only the usage of the key with this ID (`key.id` in /me). */
                key?: string;
                /** @description Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value. */
                limit?: number;
                /** @description Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Comma-separated fields to return in each row. Valid fields: day, key, keyName, mode, endpoint, status, calls, credits. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Usage"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    webhooksList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    webhooksCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * @description Public HTTPS URL that events are sent to.
                     */
                    url: string;
                    /**
                     * @description Name for your own use.
                     * @default
                     */
                    description?: string;
                    /** @description Event types that the endpoint receives. */
                    types: ("rate.changed" | "product.added" | "product.withdrawn" | "switch_offer.changed" | "balance.low" | "alert.matched")[];
                    /**
                     * @description Only events of these providers, by slug. Empty for all.
                     * @default []
                     */
                    providers?: string[];
                    /**
                     * @description Only events of products of these account types. Empty for all.
                     * @default []
                     */
                    accountTypes?: ("easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings")[];
                    /**
                     * @description Minimum change for rate.changed, in percentage points. Null for any change.
                     * @default null
                     */
                    minChange?: string | null;
                };
            };
        };
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CreatedWebhook"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    webhooksGet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    webhooksDelete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeletedObject"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    webhooksUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * @description Public HTTPS URL that events are sent to.
                     */
                    url?: string;
                    /** @description Name for your own use. */
                    description?: string;
                    /** @description Event types that the endpoint receives. */
                    types?: ("rate.changed" | "product.added" | "product.withdrawn" | "switch_offer.changed" | "balance.low" | "alert.matched")[];
                    /** @description Only events of these providers, by slug. Empty for all. */
                    providers?: string[];
                    /** @description Only events of products of these account types. Empty for all. */
                    accountTypes?: ("easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings")[];
                    /** @description Minimum change for rate.changed, in percentage points. Null for any change. */
                    minChange?: string | null;
                };
            };
        };
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    webhooksRotateSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RotatedWebhookSecret"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    webhooksPause: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    webhooksResume: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    webhooksTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Event type. Defaults to the first type of the endpoint.
                     * @enum {string}
                     */
                    type?: "rate.changed" | "product.added" | "product.withdrawn" | "switch_offer.changed" | "balance.low" | "alert.matched";
                };
            };
        };
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TestDelivery"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    webhooksDeliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries to this webhook endpoint. */
                webhook?: string;
                /** @description Only deliveries in this state. */
                state?: "waiting" | "delivered" | "dead" | "cancelled";
                /** @description Only deliveries of this event type. */
                type?: "rate.changed" | "product.added" | "product.withdrawn" | "switch_offer.changed" | "balance.low" | "alert.matched";
                /** @description Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value. */
                limit?: number;
                /** @description Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Comma-separated fields to return in each row. Valid fields: id, webhook, event, type, state, isTest, attempts, lastStatus, creditsCharged, createdAt, nextAttemptAt, deliveredAt. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    webhooksDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the delivery. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDeliveryDetails"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    webhooksRedeliver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the delivery. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["QueuedDelivery"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    webhooksEvents: {
        parameters: {
            query?: {
                /** @description Only events sent to this webhook endpoint. */
                webhook?: string;
                /** @description Only events of this type. */
                type?: "rate.changed" | "product.added" | "product.withdrawn" | "switch_offer.changed" | "balance.low" | "alert.matched";
                /** @description Rows per page. Default 10; values above 50 are reduced to 50. meta.limit shows the applied value. */
                limit?: number;
                /** @description Cursor from meta.nextCursor, unchanged. The path and filters must stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Comma-separated fields to return in each row. Valid fields: id, type, createdAt, data, isTest, webhook, delivery, sentAt. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SentEvent"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    webhooksSamples: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SampleEvent"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    alertsList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Alert"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    alertsCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the alert, used as the subject of its emails. */
                    name: string;
                    /**
                     * @description What the alert tracks: products that match the filter (`products`), the products of certain providers (`providers`) or Bank Rate (`bank-rate`).
                     * @enum {string}
                     */
                    kind: "products" | "providers" | "bank-rate";
                    /**
                     * @description Filters of /rates as a query string, such as `type=easy-access&minRate=4.6`. Only for alerts of kind `products`, which need at least one filter.
                     * @default
                     */
                    filter?: string;
                    /**
                     * @description Provider slugs. Only for alerts of kind `providers`, which need at least one slug.
                     * @default []
                     */
                    providers?: string[];
                    /**
                     * @description When emails are sent: as soon as changes are found (`immediate`), or once a day at 08:00 UK time with the changes of all daily alerts (`daily`).
                     * @default immediate
                     * @enum {string}
                     */
                    frequency?: "immediate" | "daily";
                    /**
                     * @description True to email the owner of the alert: the member who created the key or, if that member can no longer manage alerts, the account owner.
                     * @default true
                     */
                    email?: boolean;
                    /**
                     * @description True to send alert.matched to the webhook endpoints that are subscribed to it.
                     * @default false
                     */
                    webhook?: boolean;
                };
            };
        };
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Alert"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    alertsGet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the alert. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Alert"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    alertsDelete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the alert. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeletedObject"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    alertsUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the alert. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the alert, used as the subject of its emails. */
                    name?: string;
                    /**
                     * @description What the alert tracks: products that match the filter (`products`), the products of certain providers (`providers`) or Bank Rate (`bank-rate`).
                     * @enum {string}
                     */
                    kind?: "products" | "providers" | "bank-rate";
                    /** @description Filters of /rates as a query string, such as `type=easy-access&minRate=4.6`. Only for alerts of kind `products`, which need at least one filter. */
                    filter?: string;
                    /** @description Provider slugs. Only for alerts of kind `providers`, which need at least one slug. */
                    providers?: string[];
                    /**
                     * @description When emails are sent: as soon as changes are found (`immediate`), or once a day at 08:00 UK time with the changes of all daily alerts (`daily`).
                     * @enum {string}
                     */
                    frequency?: "immediate" | "daily";
                    /** @description True to email the owner of the alert: the member who created the key or, if that member can no longer manage alerts, the account owner. */
                    email?: boolean;
                    /** @description True to send alert.matched to the webhook endpoints that are subscribed to it. */
                    webhook?: boolean;
                    /**
                     * @description A paused alert reports nothing. Once resumed, it reports only later changes.
                     * @enum {string}
                     */
                    state?: "active" | "paused";
                };
            };
        };
        responses: {
            /** @description Successful response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Alert"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorised"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    onRateChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Event ID. It stays the same when a delivery is repeated; use it to deduplicate. */
                    id: string;
                    /**
                     * @constant
                     * @enum {string}
                     */
                    type: "rate.changed";
                    /**
                     * Format: date-time
                     * @description Time of the event, UTC.
                     */
                    createdAt: string;
                    /** @description Attempt number, starting at 1. */
                    attempt: number;
                    data: components["schemas"]["RateChange"];
                };
            };
        };
        responses: {
            /** @description Delivered. Any other response (including redirects), or none within 10 seconds, is a failure and is retried after 1 min, 5 min, 30 min, 2 h, 12 h. After that, the delivery is marked as failed and can be redelivered manually. 410 disables the endpoint. `Retry-After` with 429 or 503 is honoured up to the longest retry delay. After five days without a successful delivery, the endpoint is disabled. Events arrive in order as long as your server returns 2xx; a failed event arrives later. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onProductAdded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Event ID. It stays the same when a delivery is repeated; use it to deduplicate. */
                    id: string;
                    /**
                     * @constant
                     * @enum {string}
                     */
                    type: "product.added";
                    /**
                     * Format: date-time
                     * @description Time of the event, UTC.
                     */
                    createdAt: string;
                    /** @description Attempt number, starting at 1. */
                    attempt: number;
                    data: components["schemas"]["SavingsProduct"];
                };
            };
        };
        responses: {
            /** @description Delivered. Any other response (including redirects), or none within 10 seconds, is a failure and is retried after 1 min, 5 min, 30 min, 2 h, 12 h. After that, the delivery is marked as failed and can be redelivered manually. 410 disables the endpoint. `Retry-After` with 429 or 503 is honoured up to the longest retry delay. After five days without a successful delivery, the endpoint is disabled. Events arrive in order as long as your server returns 2xx; a failed event arrives later. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onProductWithdrawn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Event ID. It stays the same when a delivery is repeated; use it to deduplicate. */
                    id: string;
                    /**
                     * @constant
                     * @enum {string}
                     */
                    type: "product.withdrawn";
                    /**
                     * Format: date-time
                     * @description Time of the event, UTC.
                     */
                    createdAt: string;
                    /** @description Attempt number, starting at 1. */
                    attempt: number;
                    data: components["schemas"]["SavingsProduct"];
                };
            };
        };
        responses: {
            /** @description Delivered. Any other response (including redirects), or none within 10 seconds, is a failure and is retried after 1 min, 5 min, 30 min, 2 h, 12 h. After that, the delivery is marked as failed and can be redelivered manually. 410 disables the endpoint. `Retry-After` with 429 or 503 is honoured up to the longest retry delay. After five days without a successful delivery, the endpoint is disabled. Events arrive in order as long as your server returns 2xx; a failed event arrives later. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSwitchOfferChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Event ID. It stays the same when a delivery is repeated; use it to deduplicate. */
                    id: string;
                    /**
                     * @constant
                     * @enum {string}
                     */
                    type: "switch_offer.changed";
                    /**
                     * Format: date-time
                     * @description Time of the event, UTC.
                     */
                    createdAt: string;
                    /** @description Attempt number, starting at 1. */
                    attempt: number;
                    data: components["schemas"]["SwitchOffer"];
                };
            };
        };
        responses: {
            /** @description Delivered. Any other response (including redirects), or none within 10 seconds, is a failure and is retried after 1 min, 5 min, 30 min, 2 h, 12 h. After that, the delivery is marked as failed and can be redelivered manually. 410 disables the endpoint. `Retry-After` with 429 or 503 is honoured up to the longest retry delay. After five days without a successful delivery, the endpoint is disabled. Events arrive in order as long as your server returns 2xx; a failed event arrives later. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBalanceLow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Event ID. It stays the same when a delivery is repeated; use it to deduplicate. */
                    id: string;
                    /**
                     * @constant
                     * @enum {string}
                     */
                    type: "balance.low";
                    /**
                     * Format: date-time
                     * @description Time of the event, UTC.
                     */
                    createdAt: string;
                    /** @description Attempt number, starting at 1. */
                    attempt: number;
                    data: {
                        /** @description Account ID, as in `/me`. */
                        account: string;
                        /** @description The lowest threshold that the balance has fallen to. Each threshold triggers one event until credits are added. */
                        thresholdCredits: number;
                        /** @description Balance in credits; negative after a refund of spent credits. */
                        balanceCredits: number;
                        /**
                         * Format: date-time
                         * @description Time at which the balance fell to the threshold, UTC.
                         */
                        at: string;
                        /**
                         * Format: uri
                         * @description URL of the top-up page.
                         */
                        topUp: string;
                    };
                };
            };
        };
        responses: {
            /** @description Delivered. Any other response (including redirects), or none within 10 seconds, is a failure and is retried after 1 min, 5 min, 30 min, 2 h, 12 h. After that, the delivery is marked as failed and can be redelivered manually. 410 disables the endpoint. `Retry-After` with 429 or 503 is honoured up to the longest retry delay. After five days without a successful delivery, the endpoint is disabled. Events arrive in order as long as your server returns 2xx; a failed event arrives later. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAlertMatched: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Event ID. It stays the same when a delivery is repeated; use it to deduplicate. */
                    id: string;
                    /**
                     * @constant
                     * @enum {string}
                     */
                    type: "alert.matched";
                    /**
                     * Format: date-time
                     * @description Time of the event, UTC.
                     */
                    createdAt: string;
                    /** @description Attempt number, starting at 1. */
                    attempt: number;
                    data: {
                        /** @description Account ID, as in `/me`. */
                        account: string;
                        /** @description ID of the alert. */
                        alert: string;
                        /** @description Name of the alert. */
                        name: string;
                        /**
                         * @description What the alert reports.
                         * @enum {string}
                         */
                        kind: "products" | "providers" | "bank-rate";
                        /** @description ID of the notification, the same for every delivery. */
                        notification: string;
                        /** @description Number of changes. */
                        changeCount: number;
                        /** @description The first 50 changes. */
                        changes: {
                            /**
                             * @description What changed.
                             * @enum {string}
                             */
                            change: "matched" | "unmatched" | "withdrawn" | "rate_up" | "rate_down" | "terms_changed";
                            /** @description Product, as in `/rates/{sourceKey}`; null for Bank Rate. */
                            sourceKey: string | null;
                        }[];
                        /**
                         * Format: date-time
                         * @description Time at which the changes were found, UTC.
                         */
                        at: string;
                        /**
                         * Format: uri
                         * @description URL of the alert in the portal.
                         */
                        url: string;
                    };
                };
            };
        };
        responses: {
            /** @description Delivered. Any other response (including redirects), or none within 10 seconds, is a failure and is retried after 1 min, 5 min, 30 min, 2 h, 12 h. After that, the delivery is marked as failed and can be redelivered manually. 410 disables the endpoint. `Retry-After` with 429 or 503 is honoured up to the longest retry delay. After five days without a successful delivery, the endpoint is disabled. Events arrive in order as long as your server returns 2xx; a failed event arrives later. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
