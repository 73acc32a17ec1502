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
         * @description Coming soon. `data` is a history row. 5 credits for each event, taken with the first 2xx; retries and test events are free.
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
         * @description Coming soon. `data` is the product. 5 credits for each event, taken with the first 2xx; retries and test events are free.
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
         * @description Coming soon. `data` is the product as it last stood. 5 credits for each event, taken with the first 2xx; retries and test events are free.
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
         * A switch offer began, changed or ended.
         * @description Coming soon. `data` is the offer. 5 credits for each event, taken with the first 2xx; retries and test events are free.
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
         * Your balance fell to a threshold of your alerts.
         * @description Coming soon. `data` is the threshold and the balance. Free: it is sent while other events wait for credits, and no filter holds it back.
         */
        post: operations["onBalanceLow"];
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
             * @description Stable product id. Store it rather than the name.
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
             * @description AER-style percentage with two decimals, bonus included.
             * @example 4.50
             */
            rate: string;
            /**
             * @description Percentage without the bonus.
             * @example 4.50
             */
            baseRate: string;
            /**
             * @description The bonus part, as a percentage; 0.00 without a bonus.
             * @example 4.50
             */
            boostRate: string;
            /** @description How long the bonus lasts, for example "12 months"; null without a bonus. */
            boostDuration: string | null;
            /** @description How often interest is paid. */
            interestPaid: string;
            /** @description Variable or fixed. */
            interestType: string;
            /** @description How the money can be reached. */
            access: string;
            /** @description Smallest balance accepted, in GBP. */
            minBalance: number;
            /** @description Largest balance accepted, in GBP; null without one. */
            maxBalance: number | null;
            /** @description Largest deposit a month, in GBP; null without one. */
            maxMonthlyDeposit: number | null;
            /** @description How deposits are protected. */
            fscsDetails: string;
            /** @description Whether it is open to new customers of the provider alone. */
            newCustomersOnly: boolean;
            /**
             * Format: uri
             * @description Page of the product on this site.
             */
            depositscoutUrl: string;
            /** @description Facts on why the product is in the result. */
            matchReasons: string[];
            /**
             * Format: date-time
             * @description Last change of the product, UTC.
             * @example 2026-11-21T06:00:00.000Z
             */
            updatedAt: string;
            /** @description Logo of the provider; Enterprise plan only. */
            providerLogoUrl?: string | null;
        };
        RateChange: {
            /** @description Id of the change, hst_…; it never changes. */
            id: string;
            /** @description Stable id of the product. */
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
            /** @description New less previous rate in percentage points, signed, for example "-0.25"; null on launch and withdrawal. */
            rateChange: string | null;
            /**
             * @description What happened; `unchanged` when base rate or bonus moved and their sum did not.
             * @enum {string}
             */
            direction: "up" | "down" | "launched" | "withdrawn" | "unchanged";
            /**
             * Format: date
             * @description Day from which it holds. ISO 8601 day.
             * @example 2026-11-21
             */
            effectiveDate: string;
            /**
             * Format: date-time
             * @description When the service saw it, ISO 8601 UTC.
             */
            detectedAt: string;
            previousEffectiveDate: string | null;
            /** @description Days between the two; null for its first. */
            daysSincePreviousChange: number | null;
            bankRateAtChange: string | null;
            /** @description Logo of the provider; Enterprise plan only. */
            providerLogoUrl?: string | null;
        };
        SwitchOffer: {
            /** @description Stable id of the offer. */
            offerKey: string;
            /** @description Display name of the provider. */
            provider: string;
            /** @description Slug of the provider, or null when it is none of the rates data. */
            providerSlug: string | null;
            /** @description Logo of the provider, an absolute URL; null when it has none. */
            logoUrl: string | null;
            /** @description Name of the account. */
            accountName: string;
            /**
             * @description Who the account is for.
             * @enum {string}
             */
            accountKind: "personal" | "joint" | "student" | "business";
            /**
             * @description What is paid for the switch. In GBP with two decimals.
             * @example 125.00
             */
            bonusAmount: string;
            /**
             * @description In what form.
             * @enum {string}
             */
            bonusType: "cash" | "cashback" | "gift" | "interest-boost" | "points";
            totalValue: string | null;
            /** @description What comes with it, in plain words. */
            extraBenefits: string[];
            minPayIn: string | null;
            /** @description Time to pay it in. In days; null when not asked for. */
            payInWithinDays: number | null;
            /** @description Whether to pay it in once or each month; null when nothing has to be. */
            payInFrequency: ("once" | "monthly") | null;
            /** @description Direct debits that have to be active. */
            minDirectDebits: number;
            /** @description Whether they have to come over in the switch. */
            directDebitsMustTransfer: boolean;
            /** @description Card payments that have to be made. */
            minCardPayments: number;
            /** @description Time to make them. In days; null when not asked for. */
            cardPaymentsWithinDays: number | null;
            /** @description Whether one has to log in online or in the app. */
            digitalLoginRequired: boolean;
            /**
             * @description Fee of the account a month. In GBP with two decimals.
             * @example 125.00
             */
            monthlyFee: string;
            minAnnualIncome: string | null;
            /** @description Time to complete the switch. In days; null when not asked for. */
            switchWithinDays: number | null;
            /** @description Whether it has to be a full switch, which closes the old account. */
            fullSwitchRequired: boolean;
            /** @description Whether the switch goes through the Current Account Switch Service. */
            cassParticipant: boolean;
            /** @description Time in which the bonus is paid once the conditions are met. In days; null when not asked for. */
            payoutWithinDays: number | null;
            /**
             * Format: date
             * @description First day of the offer; a later day than today is that of an announced one. ISO 8601 day.
             * @example 2026-11-21
             */
            startDate: string;
            endDate: string | null;
            /** @description Whether only new customers may take it. */
            newCustomersOnly: boolean;
            excludedIfHeldSince: string | null;
            /** @description Whether an earlier bonus excludes. */
            previousBonusExcluded: boolean;
            previousBonusSince: string | null;
            /** @description Who can have it, in plain words. */
            eligibility: string[];
            /** @description Who cannot, in plain words. */
            exclusions: string[];
            /**
             * Format: uri
             * @description Terms of the offer.
             */
            termsUrl: string;
            /**
             * @description Whether it can be taken today by the date in London; `ending-soon` within the last 14 days.
             * @enum {string}
             */
            status: "live" | "ending-soon" | "ended";
            /**
             * Format: date-time
             * @description Last change of the record, ISO 8601 UTC.
             * @example 2026-11-21T06:00:00.000Z
             */
            updatedAt: string;
        };
        Meta: {
            /** @description Request identifier, also in the header X-SVC-Request-Id. */
            requestId: string;
            /**
             * Format: date-time
             * @description When the answer was built; a shared answer keeps the time of its first building.
             */
            generatedAt: string;
            /** @description Credits taken by this request. */
            creditsCharged: number;
            /** @description Balance after this request. */
            creditsBalance: number;
            /** @description Text to display under the Data Licence. */
            attribution: string;
            /** @description True when the data are sample data of a test key. */
            sample: boolean;
        };
        ListMeta: {
            /** @description Request identifier, also in the header X-SVC-Request-Id. */
            requestId: string;
            /**
             * Format: date-time
             * @description When the answer was built; a shared answer keeps the time of its first building.
             */
            generatedAt: string;
            /** @description Credits taken by this request. */
            creditsCharged: number;
            /** @description Balance after this request. */
            creditsBalance: number;
            /** @description Text to display under the Data Licence. */
            attribution: string;
            /** @description On lists: the page size applied, after clamping or reduction. */
            limit: number;
            /** @description On lists: token of the next page, or null when there is none. */
            nextCursor: string | null;
            /** @description True when the data are sample data of a test key. */
            sample: boolean;
        };
        Ping: {
            /**
             * @description Always true: the service answers.
             * @constant
             */
            ok: true;
            /**
             * @description Mode of the key.
             * @enum {string}
             */
            mode: "test" | "live";
            /** @description The same as meta.requestId. */
            requestId: string;
        };
        Me: {
            /** @description The account that the key belongs to. */
            account: {
                /** @description Id of the account, to quote to support. */
                id: string;
                /** @description Name that the owner gave it. */
                name: string;
                /** @description review until the account is approved, then open; or blocked. */
                status: string;
                /**
                 * @description Plan, which decides limits and what live keys can call.
                 * @enum {string}
                 */
                plan: "hobby" | "business" | "enterprise";
            };
            /** @description The key of this call. */
            key: {
                /** @description Id of the key, as the portal and the request log name it. */
                id: string;
                /**
                 * @description Test keys read sample data and are free; live keys read live data.
                 * @enum {string}
                 */
                mode: "test" | "live";
                /** @description The key as lists show it: mode and last four characters. */
                prefix: string;
                /** @description Scopes that the key was made with. */
                scopes: string[];
                /** @description Addresses and ranges that may use the key; empty: all. */
                ipAllowList: string[];
                /**
                 * Format: date-time
                 * @description When it was made, UTC.
                 */
                createdAt: string;
                /** @description When it stops to work, UTC; null without an end. */
                expiresAt: string | null;
            };
            /** @description What the account has left. */
            balance: {
                /** @description Service credits, exact. */
                credits: number;
            };
            /** @description Limits in force for this key. */
            rateLimits: {
                /** @description Requests a UTC minute for this key. */
                perMinute: number;
                /** @description Live requests a UTC day for the account; null for a test key, which has no daily limit. */
                perDay: number | null;
            };
            /** @description What the account did today. */
            usage: {
                /**
                 * Format: date-time
                 * @description The moment up to which requestsToday and creditsToday are complete.
                 */
                asOf: string;
                /** @description Requests of all keys of the account in this UTC day, without those over a limit. */
                requestsToday: number;
                /** @description Credits spent in this UTC day. */
                creditsToday: number;
                /** @description Live requests left in this UTC day, exact; null for a test key. */
                remainingToday: number | null;
            };
            /** @description Every endpoint, with whether this key can call it. */
            endpoints: {
                /** @description HTTP method. */
                method: string;
                /** @description Path under the version, with its parameters between braces. */
                path: string;
                /** @description Scope that the call needs, or any-key. */
                scope: string;
                /** @description Price in words. */
                cost: string;
                /**
                 * @description Which keys it answers: all, test keys only, or none yet.
                 * @enum {string}
                 */
                availability: "open" | "test-only" | "coming-soon";
                /** @description Whether this key can call it now. */
                callable: boolean;
                /** @description The error code that a call would get, or null. */
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
            /** @description Stable product id. */
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
            /** @description Stable card id. */
            sourceKey: string;
            /** @description Display name of the card. */
            name: string;
            /** @description Display name of the provider. */
            provider: string;
            /** @description Slug of the provider, or null when it has no savings products. */
            providerSlug: string | null;
            /**
             * @description The card list that carries it.
             * @enum {string}
             */
            list: "rewards" | "travel";
        };
        Currency: {
            /** @description ISO 4217 code. */
            code: string;
            /** @description Name in English. */
            name: string;
            /** @description Where it is used. */
            region: string;
        };
        AccountType: {
            /**
             * @description What the parameter "type" accepts.
             * @enum {string}
             */
            value: "all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings";
            /** @description What products show in accountType. */
            label: string;
            /** @description What accounts of the type are, in a sentence. */
            description: string;
        };
        FscsBrand: {
            /** @description Name that customers know. */
            brand: string;
            /** @description Firm that holds the deposits. */
            legalName: string;
            /** @description FCA firm reference number; null when not verified. */
            frn: string | null;
            /** @description Protection scheme. */
            scheme: string;
            /** @description Country of the firm. */
            country: string;
            /** @description Who owns the firm. */
            owner: string;
            /** @description Country of the owner. */
            ownerCountry: string;
            /** @description The other brands on the same licence: they share one limit. */
            sharesLicenceWith: string[];
            /** @description Brands with the same value share one limit. */
            licenceGroup: string;
            /** @description False for platforms and e-money firms. */
            isBank: boolean;
            /** @description Covered for each person in limitCurrency; null without a limit or when it depends on a partner bank; 0 without protection. */
            limit: number | null;
            /** @description ISO 4217 code. */
            limitCurrency: string;
            /** @description FSCS limit for each person and licence, GBP. */
            fscsLimit: number;
            /** @description FSCS limit of a joint account of two, GBP. */
            fscsJointLimit: number;
            /** @description FSCS limit of a temporary high balance, GBP. */
            temporaryHighBalanceLimit: number;
            /** @description Months for which a temporary high balance is covered. */
            temporaryHighBalanceMonths: number;
            /** @description Slug in the rates data, or null when the brand has no provider there. */
            providerSlug: string | null;
            /**
             * Format: date
             * @description Day of the newest evidence behind this list.
             */
            verifiedOn: string;
            /** @description How well the row is supported: high or medium. */
            confidence: string;
            /** @description What else to know, in a sentence; null when there is nothing. */
            note: string | null;
        };
        ProductLink: {
            /** @description Stable product id. */
            sourceKey: string;
            /** @description Display name of the provider. */
            provider: string;
            /** @description Slug of the provider, as in /reference/providers. */
            providerSlug: string;
            /** @description Display name of the account. */
            accountName: string;
            /**
             * Format: uri
             * @description The product's page on the provider's own site.
             */
            url: string;
            /**
             * Format: date-time
             * @description When the address was last checked, UTC.
             */
            checkedAt: string;
        };
        RateComponents: {
            /** @description Id of the change that the time began with, as in /history. */
            id: string;
            /** @description Stable id of the product. */
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
             * @description First day for which it held. ISO 8601 day.
             * @example 2026-11-21
             */
            effectiveFrom: string;
            effectiveTo: string | null;
            /**
             * @description Rate without the bonus. In percent with two decimals.
             * @example 4.50
             */
            baseRate: string;
            /**
             * @description Bonus part of the rate; 0.00 without a bonus. In percent with two decimals.
             * @example 4.50
             */
            boostRate: string;
            /**
             * @description Base rate and bonus together, AER. In percent with two decimals.
             * @example 4.50
             */
            rate: string;
            /** @description How long the bonus lasts, for example "12 months"; null without a bonus. */
            boostDuration: string | null;
            boostEndsOn: string | null;
        };
        RateTrend: {
            /** @description Stable id of the series. */
            seriesId: string;
            /** @description What it shows, in a few words. */
            label: string;
            /** @description Display label of the account type. */
            accountType: string;
            /** @description Slug of the provider whose products it is about; null for the whole market. */
            providerSlug: string | null;
            /** @description Id of the product that it is about; null for more than one. */
            sourceKey: string | null;
            /**
             * @description Best, average or median rate of the products, or the rate of the one product.
             * @enum {string}
             */
            metric: "best" | "average" | "median" | "product";
            /**
             * @description Unit of every value.
             * @constant
             */
            unit: "percent";
            /** @description Oldest first; days without a product are left out. */
            points: {
                /**
                 * Format: date
                 * @description Day of the point. ISO 8601 day.
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
             * @description Day of the first point. ISO 8601 day.
             * @example 2026-11-21
             */
            first: string;
            /**
             * Format: date
             * @description Day of the last point. ISO 8601 day.
             * @example 2026-11-21
             */
            last: string;
            /**
             * @description Last less first value in percentage points, signed, for example "-0.25".
             * @example +0.25
             */
            change: string;
            /** @description Logo of the provider; Enterprise plan only. */
            providerLogoUrl?: string | null;
        };
        Provider: {
            /** @description Stable key of the provider, as in /reference/providers. */
            slug: string;
            /** @description Display name. */
            name: string;
            /** @description Logo of the provider, an absolute URL; null when it has none. */
            logoUrl: string | null;
            /** @description Registered name of the firm. */
            legalName: string;
            /** @description FCA firm reference number, as text; null when unknown. */
            frn: string | null;
            /**
             * @description Kind of firm.
             * @enum {string}
             */
            providerType: "bank" | "building-society" | "government" | "platform" | "e-money" | "credit-union";
            /**
             * Format: uri
             * @description Home page of the provider.
             */
            website: string;
            /** @description Calendar year; null when unknown. */
            founded: number | null;
            /** @description Town of the head office; null when unknown. */
            headquarters: string | null;
            /** @description Owner; null when it has none or it is unknown. */
            ownerName: string | null;
            /** @description Country of the owner, ISO 3166-1 alpha-2; null when unknown. */
            ownerCountry: string | null;
            /** @description Scheme that protects deposits. */
            protectionScheme: string;
            protectionLimit: string | null;
            /** @description Providers with the same value share one licence and one protection limit. */
            licenceGroup: string;
            /** @description Slugs of the other providers on the same licence. */
            sharesLicenceWith: string[];
            /** @description Mean of customer reviews from 0.0 to 5.0, one decimal; null when there is none. */
            trustScore: string | null;
            /** @description Reviews behind trustScore; null when unknown. */
            trustReviewCount: number | null;
            /** @description Who collected the reviews. */
            trustSource: string | null;
            trustAsOf: string | null;
            /** @description Savings products that are listed. */
            productCount: number;
            topRate: string | null;
            /** @description Types of those products, as values of `type` on /rates. */
            accountTypes: ("all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings")[];
            /** @description Whether it takes part in the Current Account Switch Service. */
            cassParticipant: boolean;
            /**
             * Format: date-time
             * @description Last change of the record, ISO 8601 UTC.
             * @example 2026-11-21T06:00:00.000Z
             */
            updatedAt: string;
        };
        ProviderWithProducts: {
            /** @description Stable key of the provider, as in /reference/providers. */
            slug: string;
            /** @description Display name. */
            name: string;
            /** @description Logo of the provider, an absolute URL; null when it has none. */
            logoUrl: string | null;
            /** @description Registered name of the firm. */
            legalName: string;
            /** @description FCA firm reference number, as text; null when unknown. */
            frn: string | null;
            /**
             * @description Kind of firm.
             * @enum {string}
             */
            providerType: "bank" | "building-society" | "government" | "platform" | "e-money" | "credit-union";
            /**
             * Format: uri
             * @description Home page of the provider.
             */
            website: string;
            /** @description Calendar year; null when unknown. */
            founded: number | null;
            /** @description Town of the head office; null when unknown. */
            headquarters: string | null;
            /** @description Owner; null when it has none or it is unknown. */
            ownerName: string | null;
            /** @description Country of the owner, ISO 3166-1 alpha-2; null when unknown. */
            ownerCountry: string | null;
            /** @description Scheme that protects deposits. */
            protectionScheme: string;
            protectionLimit: string | null;
            /** @description Providers with the same value share one licence and one protection limit. */
            licenceGroup: string;
            /** @description Slugs of the other providers on the same licence. */
            sharesLicenceWith: string[];
            /** @description Mean of customer reviews from 0.0 to 5.0, one decimal; null when there is none. */
            trustScore: string | null;
            /** @description Reviews behind trustScore; null when unknown. */
            trustReviewCount: number | null;
            /** @description Who collected the reviews. */
            trustSource: string | null;
            trustAsOf: string | null;
            /** @description Savings products that are listed. */
            productCount: number;
            topRate: string | null;
            /** @description Types of those products, as values of `type` on /rates. */
            accountTypes: ("all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings")[];
            /** @description Whether it takes part in the Current Account Switch Service. */
            cassParticipant: boolean;
            /**
             * Format: date-time
             * @description Last change of the record, ISO 8601 UTC.
             * @example 2026-11-21T06:00:00.000Z
             */
            updatedAt: string;
            /** @description Savings products, best rate first; the best 500 when there are more. */
            products: components["schemas"]["SavingsProduct"][];
        };
        ServiceQuality: {
            /** @description Whom the surveys are about. */
            provider: {
                /** @description Slug of the provider. */
                slug: string;
                /** @description Display name. */
                name: string;
                /** @description Logo of the provider, an absolute URL; null when it has none. */
                logoUrl: string | null;
            };
            /** @description The newest survey of each region, Great Britain before Northern Ireland. */
            surveys: {
                /** @description Name of the survey. */
                survey: string;
                /** @description Who made it. */
                publisher: string;
                /**
                 * @description Great Britain or Northern Ireland.
                 * @enum {string}
                 */
                region: "GB" | "NI";
                /**
                 * Format: date
                 * @description First day of asking. ISO 8601 day.
                 * @example 2026-11-21
                 */
                periodStart: string;
                /**
                 * Format: date
                 * @description Last day of asking. ISO 8601 day.
                 * @example 2026-11-21
                 */
                periodEnd: string;
                /**
                 * Format: date
                 * @description When it was published. ISO 8601 day.
                 * @example 2026-11-21
                 */
                publishedAt: string;
                nextPublication: string | null;
                /** @description The provider's customers who were asked; null when unknown. */
                sampleSize: number | null;
                /** @description Providers in the survey of this region. */
                providersRanked: number;
                /** @description Service as a whole. Null where fewer than 100 answered. */
                overall: {
                    /** @description Whole percent of those asked who are extremely or very likely to recommend it. */
                    percent: number;
                    /** @description Place from 1 among the providers that were scored. */
                    rank: number;
                    /** @description Whether others share the rank. */
                    jointRank: boolean;
                    /** @description Providers that were scored. */
                    rankOf: number;
                } | null;
                /** @description Online and mobile banking. Null where fewer than 100 answered. */
                onlineAndMobile: {
                    /** @description Whole percent of those asked who are extremely or very likely to recommend it. */
                    percent: number;
                    /** @description Place from 1 among the providers that were scored. */
                    rank: number;
                    /** @description Whether others share the rank. */
                    jointRank: boolean;
                    /** @description Providers that were scored. */
                    rankOf: number;
                } | null;
                /** @description Overdraft services. Null where fewer than 100 answered. */
                overdraft: {
                    /** @description Whole percent of those asked who are extremely or very likely to recommend it. */
                    percent: number;
                    /** @description Place from 1 among the providers that were scored. */
                    rank: number;
                    /** @description Whether others share the rank. */
                    jointRank: boolean;
                    /** @description Providers that were scored. */
                    rankOf: number;
                } | null;
                /** @description Branches; null for a bank without any, too. Null where fewer than 100 answered. */
                branch: {
                    /** @description Whole percent of those asked who are extremely or very likely to recommend it. */
                    percent: number;
                    /** @description Place from 1 among the providers that were scored. */
                    rank: number;
                    /** @description Whether others share the rank. */
                    jointRank: boolean;
                    /** @description Providers that were scored. */
                    rankOf: number;
                } | null;
                /**
                 * Format: uri
                 * @description How the survey was made.
                 */
                methodologyUrl: string;
                /** @description Days that opening an account takes on average; null when unknown. */
                accountOpeningDays: number | null;
                /** @description Days that replacing a debit card takes on average; null when unknown. */
                debitCardReplacementDays: number | null;
                /** @description Major operational and security incidents in a year; null when unknown. */
                majorIncidentsLastYear: number | null;
                /**
                 * Format: date-time
                 * @description Last change of the record, ISO 8601 UTC.
                 * @example 2026-11-21T06:00:00.000Z
                 */
                updatedAt: string;
            }[];
        };
        AccountOffer: {
            /** @description Stable id of the offer. */
            offerKey: string;
            /** @description Display name of the provider. */
            provider: string;
            /** @description Slug of the provider, or null when it is none of the rates data. */
            providerSlug: string | null;
            /** @description Logo of the provider, an absolute URL; null when it has none. */
            logoUrl: string | null;
            /** @description Name of the account. */
            accountName: string;
            /** @description Kind of account: current-account, packaged, premium, student, graduate, children or basic. */
            accountType: string;
            /** @description The offer in one line. */
            headline: string;
            creditInterestRate: string | null;
            creditInterestMaxBalance: string | null;
            cashbackRate: string | null;
            /** @description What cashback is paid on. */
            cashbackCategories: string[];
            cashbackCap: string | null;
            /**
             * @description Fee of the account a month. In GBP with two decimals.
             * @example 125.00
             */
            monthlyFee: string;
            overdraftRate: string | null;
            overdraftInterestFreeAmount: string | null;
            /** @description How long the introductory terms last, like "12 months"; null when they stay. */
            introductoryPeriod: string | null;
            minPayIn: string | null;
            /** @description Direct debits that have to be active; null when none have to. */
            minDirectDebits: number | null;
            linkedSaverRate: string | null;
            /**
             * Format: date
             * @description First day of the offer. ISO 8601 day.
             * @example 2026-11-21
             */
            startDate: string;
            endDate: string | null;
            /** @description Whether only new customers may take it. */
            newCustomersOnly: boolean;
            /**
             * Format: uri
             * @description Terms of the offer.
             */
            termsUrl: string;
            /**
             * Format: date-time
             * @description Last change of the record, ISO 8601 UTC.
             * @example 2026-11-21T06:00:00.000Z
             */
            updatedAt: string;
        };
        RewardCard: {
            /** @description Stable card id, as in /reference/cards. */
            sourceKey: string;
            /** @description Name of the card. */
            name: string;
            /** @description Display name of the issuer. */
            provider: string;
            /** @description Slug of the issuer, or null when it is no provider of the rates data. */
            providerSlug: string | null;
            /** @description Logo of the provider, an absolute URL; null when it has none. */
            logoUrl: string | null;
            /** @description Picture of the card, an absolute URL; null when there is none. */
            imageUrl: string | null;
            /**
             * @description Payment network.
             * @enum {string}
             */
            network: "visa" | "mastercard" | "amex";
            /**
             * @description Kind of card.
             * @enum {string}
             */
            cardType: "credit" | "charge" | "debit" | "prepaid";
            /**
             * @description What is earned.
             * @enum {string}
             */
            rewardType: "cashback" | "points" | "airmiles" | "vouchers";
            /** @description Name of the points or miles; null for cashback. */
            rewardCurrencyName: string | null;
            /** @description What a pound of ordinary spend earns: percent for cashback, points per pound otherwise, two decimals. */
            earnRate: string;
            /** @description Other rates for parts of the spend; empty when earnRate holds for all of it. */
            rewardTiers: {
                /**
                 * @description Spend from which it counts. In GBP with two decimals.
                 * @example 125.00
                 */
                spendFrom: string;
                spendTo: string | null;
                /** @description What is earned there: percent for cashback, points per pound otherwise, two decimals. */
                rate: string;
                cap: string | null;
                /**
                 * @description What it is counted over.
                 * @enum {string}
                 */
                period: "day" | "week" | "month" | "quarter" | "year";
            }[];
            introRate: string | null;
            /** @description Months for which introRate is paid; null without one. */
            introDurationMonths: number | null;
            /** @description What new cardholders get once; null without one. */
            welcomeBonus: {
                /** @description What is given, in plain words. */
                description: string;
                value: string | null;
                /** @description Points or miles; null when it is none. */
                points: number | null;
                spendRequired: string | null;
                /** @description Days in which to spend it; null when there is no limit. */
                withinDays: number | null;
            } | null;
            /**
             * @description Fee a year. In GBP with two decimals.
             * @example 125.00
             */
            annualFee: string;
            firstYearFee: string | null;
            representativeApr: string | null;
            purchaseRate: string | null;
            minCreditLimit: string | null;
            /**
             * @description Charge on a payment in another currency; 0.00 is free. In percent with two decimals.
             * @example 4.50
             */
            fxFee: string;
            /** @description Charge on drawing cash; null when unknown or none. */
            cashAdvanceFee: {
                /**
                 * @description Part of the cash. In percent with two decimals.
                 * @example 4.50
                 */
                percent: string;
                /**
                 * @description At least. In GBP with two decimals.
                 * @example 125.00
                 */
                minimum: string;
            } | null;
            minAnnualIncome: string | null;
            estimatedAnnualValue: string | null;
            /** @description The representative example; null for a card without credit. */
            representativeExample: string | null;
            /** @description Whether only new customers may have it. */
            newCustomersOnly: boolean;
            /**
             * Format: date-time
             * @description Last change of the record, ISO 8601 UTC.
             * @example 2026-11-21T06:00:00.000Z
             */
            updatedAt: string;
        };
        TravelCard: {
            /** @description Stable card id, as in /reference/cards. */
            sourceKey: string;
            /** @description Name of the card. */
            name: string;
            /** @description Display name of the issuer. */
            provider: string;
            /** @description Slug of the issuer, or null when it is no provider of the rates data. */
            providerSlug: string | null;
            /** @description Logo of the provider, an absolute URL; null when it has none. */
            logoUrl: string | null;
            /** @description Picture of the card, an absolute URL; null when there is none. */
            imageUrl: string | null;
            /**
             * @description Payment network.
             * @enum {string}
             */
            network: "visa" | "mastercard" | "amex";
            /**
             * @description Kind of card.
             * @enum {string}
             */
            cardType: "credit" | "debit" | "prepaid";
            /**
             * @description Charge on a payment in another currency; 0.00 is free. In percent with two decimals.
             * @example 4.50
             */
            fxFee: string;
            weekendFxFee: string | null;
            /**
             * @description Charge on drawing cash abroad; 0.00 is free. In percent with two decimals.
             * @example 4.50
             */
            atmFeePercent: string;
            /**
             * @description That charge is at least. In GBP with two decimals.
             * @example 125.00
             */
            atmFeeMinimum: string;
            /** @description Cash that can be drawn without that charge; null when there is no such allowance. */
            atmFreeLimit: {
                /**
                 * @description Cash without a charge. In GBP with two decimals.
                 * @example 125.00
                 */
                amount: string;
                /**
                 * @description What it is counted over.
                 * @enum {string}
                 */
                period: "day" | "week" | "month" | "quarter" | "year";
            } | null;
            /** @description Whether cash costs interest from the first day; null for a card without credit. */
            cashInterestFromDay1: boolean | null;
            cashRate: string | null;
            representativeApr: string | null;
            /**
             * @description Fee a year. In GBP with two decimals.
             * @example 125.00
             */
            annualFee: string;
            /**
             * @description Whose exchange rate is used.
             * @enum {string}
             */
            exchangeRateSource: "visa" | "mastercard" | "amex" | "interbank";
            /** @description The currency that was asked for, ISO 4217; null when none was. */
            currency: string | null;
            /** @description Units of that currency for one pound, mid-market and not the rate of this card; null without a currency or a known rate. */
            indicativeRate: string | null;
            indicativeRateDate: string | null;
            /**
             * @description What a payment worth £100 in that currency costs in fees on a working day: 2.99 means that £102.99 leave the account. In GBP with two decimals.
             * @example 125.00
             */
            costPer100: string;
            /** @description Currencies that it pays in, ISO 4217, or "all". */
            supportedCurrencies: "all" | string[];
            rewardOnForeignSpend: string | null;
            /**
             * Format: date-time
             * @description Last change of the record, ISO 8601 UTC.
             * @example 2026-11-21T06:00:00.000Z
             */
            updatedAt: string;
        };
        ProviderAsset: {
            /** @description Slug of the provider. */
            slug: string;
            /** @description Name of what is shown. */
            name: string;
            /**
             * Format: uri
             * @description Absolute address of the same picture.
             */
            url: string;
            /** @description Media type of the content, such as image/svg+xml. */
            contentType: string;
            /** @description In pixels; null when the picture has no size of its own. */
            width: number | null;
            /** @description In pixels; null when the picture has no size of its own. */
            height: number | null;
            /** @description What the picture may be used for. */
            licenceNote: string;
            /** @description Length of the content in bytes, once decoded. */
            sizeBytes: number;
            /**
             * Format: base64
             * @description The content, base64.
             */
            contentBase64: string;
        };
        CardAsset: {
            /** @description Stable card id. */
            sourceKey: string;
            /** @description Name of what is shown. */
            name: string;
            /**
             * Format: uri
             * @description Absolute address of the same picture.
             */
            url: string;
            /** @description Media type of the content, such as image/svg+xml. */
            contentType: string;
            /** @description In pixels; null when the picture has no size of its own. */
            width: number | null;
            /** @description In pixels; null when the picture has no size of its own. */
            height: number | null;
            /** @description What the picture may be used for. */
            licenceNote: string;
            /** @description Length of the content in bytes, once decoded. */
            sizeBytes: number;
            /**
             * Format: base64
             * @description The content, base64.
             */
            contentBase64: string;
        };
        Simulation: {
            /** @description The product simulated; null for a plain rate. */
            sourceKey: string | null;
            /**
             * @description Balance at the start. In GBP with two decimals.
             * @example 125.00
             */
            balance: string;
            /** @description Months asked for. */
            months: number;
            /** @description Months that the figures cover: fewer than asked for when the account matures first. */
            simulatedMonths: number;
            /**
             * @description Rate at the start, bonus included (AER). In percent with two decimals.
             * @example 4.50
             */
            rateUsed: string;
            /**
             * @description Rate without the bonus (AER). In percent with two decimals.
             * @example 4.50
             */
            baseRate: string;
            /**
             * @description The bonus part of the rate; 0.00 without a bonus. In percent with two decimals.
             * @example 4.50
             */
            boostRate: string;
            /** @description The last month with the bonus; null without a bonus, or when its length is not known. */
            boostEndsAfterMonth: number | null;
            /** @description How often interest is paid, as in the product; "Annually" for a plain rate. */
            interestPaid: string;
            /**
             * @description How often interest is credited in these figures. A plain rate compounds annually.
             * @enum {string}
             */
            compounding: "daily" | "monthly" | "quarterly" | "half-yearly" | "annually" | "maturity";
            /**
             * @description All interest. In GBP with two decimals.
             * @example 125.00
             */
            totalInterest: string;
            /**
             * @description Balance at the end. In GBP with two decimals.
             * @example 125.00
             */
            endBalance: string;
            /**
             * @description The yearly rate that gives the same end balance. In percent with two decimals.
             * @example 4.50
             */
            effectiveAer: string;
            /** @description One row for each month. */
            schedule: {
                /** @description Month, from 1. */
                month: number;
                /**
                 * @description Rate in force in the month (AER). In percent with two decimals.
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
            /** @description What the figures take for granted, one sentence each. */
            assumptions: string[];
            /** @description What stands in the way of the figures: balance limits, monthly deposit limits, maturity, protection. */
            warnings: string[];
        };
        SavingsTax: {
            /**
             * @description The tax year worked in.
             * @enum {string}
             */
            taxYear: "2023-24" | "2024-25" | "2025-26" | "2026-27" | "2027-28";
            /**
             * @description Other taxable income of the year. In GBP with two decimals.
             * @example 125.00
             */
            income: string;
            /**
             * @description Savings interest of the year. In GBP with two decimals.
             * @example 125.00
             */
            interest: string;
            /**
             * @description The band that the top of taxable income, interest included, lies in.
             * @enum {string}
             */
            taxBand: "none" | "basic" | "higher" | "additional";
            /**
             * @description Personal allowance after the taper. In GBP with two decimals.
             * @example 125.00
             */
            personalAllowance: string;
            /**
             * @description The part of the personal allowance that other income leaves for interest and that is used. In GBP with two decimals.
             * @example 125.00
             */
            personalAllowanceUsedAgainstInterest: string;
            /**
             * @description Room at the 0% starting rate for savings. In GBP with two decimals.
             * @example 125.00
             */
            startingRateAvailable: string;
            /**
             * @description Interest at the 0% starting rate. In GBP with two decimals.
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
             * @description Interest that is taxed above 0%. In GBP with two decimals.
             * @example 125.00
             */
            taxableInterest: string;
            /** @description All of the interest in the order in which it is set off and taxed. */
            breakdown: {
                /**
                 * @description The allowance or band that this part of the interest falls in.
                 * @enum {string}
                 */
                band: "personal-allowance" | "starting-rate" | "personal-savings-allowance" | "basic" | "higher" | "additional";
                /**
                 * @description This part of the interest. In GBP with two decimals.
                 * @example 125.00
                 */
                amount: string;
                /**
                 * @description Rate on this part. In percent with two decimals.
                 * @example 4.50
                 */
                rate: string;
                /**
                 * @description Tax on this part. The parts add up to taxDue: each is the step of the rounded running total. In GBP with two decimals.
                 * @example 125.00
                 */
                tax: string;
            }[];
            /**
             * @description Tax on the interest, rounded half-up once, at the end. In GBP with two decimals.
             * @example 125.00
             */
            taxDue: string;
            /**
             * @description taxDue and the tax on other income that arises because the interest lowers the personal allowance. In GBP with two decimals.
             * @example 125.00
             */
            extraTaxCausedByInterest: string;
            /**
             * @description Interest less taxDue. In GBP with two decimals.
             * @example 125.00
             */
            netInterest: string;
            /** @description Whether savings and investment income has to be reported in a Self Assessment return. */
            selfAssessmentRequired: boolean;
            /** @description The rules that were applied, one sentence each. */
            notes: string[];
        };
        IsaAllowance: {
            /**
             * @description The tax year worked in.
             * @enum {string}
             */
            taxYear: "2023-24" | "2024-25" | "2025-26" | "2026-27" | "2027-28";
            /**
             * @description Most that an adult may pay into all ISAs together. In GBP with two decimals.
             * @example 125.00
             */
            overallLimit: string;
            /** @description Paid into cash ISAs in the tax year; null when only "used" was given and is more than 0. In GBP with two decimals. */
            cash: string | null;
            /** @description Paid into stocks and shares ISAs in the tax year; null when only "used" was given and is more than 0. In GBP with two decimals. */
            stocksShares: string | null;
            /** @description Paid into innovative finance ISAs in the tax year; null when only "used" was given and is more than 0. In GBP with two decimals. */
            innovativeFinance: string | null;
            /** @description Paid into a lifetime ISA in the tax year; null when only "used" was given and is more than 0. In GBP with two decimals. */
            lifetime: string | null;
            /**
             * @description Everything paid in: the amounts of the types added up, or "used" as given. In GBP with two decimals.
             * @example 125.00
             */
            used: string;
            /**
             * @description What counts against the allowance: "used" less what a withdrawal from a flexible ISA gives back. In GBP with two decimals.
             * @example 125.00
             */
            currentYearUsed: string;
            /**
             * @description What may still be paid in: overallLimit less currentYearUsed, not below 0.00. In GBP with two decimals.
             * @example 125.00
             */
            remaining: string;
            /**
             * @description Money of earlier years taken out of a flexible ISA, which may be put back in this tax year without counting. In GBP with two decimals.
             * @example 125.00
             */
            replaceableEarlierYears: string;
            /**
             * @description Most that may be paid into cash ISAs. In GBP with two decimals.
             * @example 125.00
             */
            cashLimit: string;
            /** @description What may still be paid into cash ISAs; null when it depends on how "used" is split. In GBP with two decimals. */
            remainingCash: string | null;
            /**
             * @description Most that may be paid into a lifetime ISA, inside the overall limit. In GBP with two decimals.
             * @example 125.00
             */
            lifetimeLimit: string;
            /** @description What may still be paid into a lifetime ISA; null when it depends on how "used" is split. In GBP with two decimals. */
            remainingLifetime: string | null;
            /** @description Government bonus on the payments into a lifetime ISA, 0.00 at an age at which none may be made; null when only "used" was given and is more than 0. In GBP with two decimals. */
            lifetimeBonus: string | null;
            /**
             * Format: date
             * @description Date in London that daysLeft is counted from.
             */
            asOf: string;
            /** @description Days from asOf to 5 April, the last day of the tax year: 0 on that day and after it. */
            daysLeft: number;
            /**
             * Format: date
             * @description 6 April, when the next allowance begins.
             */
            resetsOn: string;
            /** @description Whether the payments keep to the limits. */
            valid: boolean;
            /** @description The limits that the payments break; empty when valid. */
            breaches: string[];
            /** @description The rules that were applied, one sentence each. */
            notes: string[];
        };
        SavingsGrowth: {
            /**
             * @description Amount at the start. In GBP with two decimals.
             * @example 125.00
             */
            amount: string;
            /**
             * @description Paid in at the start of every month. In GBP with two decimals.
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
             */
            compounding: "annually";
            /**
             * @description Everything paid in, the amount at the start included. In GBP with two decimals.
             * @example 125.00
             */
            totalPaidIn: string;
            /**
             * @description All interest. In GBP with two decimals.
             * @example 125.00
             */
            totalInterest: string;
            /**
             * @description Balance at the end. In GBP with two decimals.
             * @example 125.00
             */
            endBalance: string;
            /** @description Balance at the end in today's money; null without "inflation". In GBP with two decimals. */
            realEndBalance: string | null;
            /** @description One row for each year. */
            schedule: {
                /** @description Year, from 1; the last may be shorter than twelve months. */
                year: number;
                /**
                 * @description Paid in during the year; in year 1 with the amount at the start. In GBP with two decimals.
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
            /** @description The rules that were applied, one sentence each. */
            notes: string[];
        };
        RegularSaver: {
            /**
             * @description Paid in at the start of every month. In GBP with two decimals.
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
            /** @description How interest is worked out. */
            basis: string;
            /**
             * @description Everything paid in. In GBP with two decimals.
             * @example 125.00
             */
            totalPaidIn: string;
            /**
             * @description All interest. In GBP with two decimals.
             * @example 125.00
             */
            totalInterest: string;
            /**
             * @description Balance at the end. In GBP with two decimals.
             * @example 125.00
             */
            endBalance: string;
            /**
             * @description Mean of the balances that earned interest. In GBP with two decimals.
             * @example 125.00
             */
            averageBalance: string;
            /**
             * @description Interest as a share of what was paid in. It is below the rate, because later deposits earn interest for fewer months. In percent with two decimals.
             * @example 4.50
             */
            effectiveReturn: string;
            /** @description One row for each month. */
            schedule: {
                /** @description Month, from 1. */
                month: number;
                /**
                 * @description Paid in at the start of the month. In GBP with two decimals.
                 * @example 125.00
                 */
                deposit: string;
                /**
                 * @description What this deposit earns from its month up to the next credit of interest, rounded for itself. In GBP with two decimals.
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
            /** @description The rules that were applied, one sentence each. */
            notes: string[];
        };
        ExchangeRate: {
            /** @description ISO 4217 code, as in /reference/currencies. */
            currency: string;
            /** @description English name of the currency. */
            name: string;
            /**
             * @description Rates are to the pound.
             * @constant
             */
            base: "GBP";
            /** @description Units of the currency for one pound, an exact decimal. */
            rate: string;
            /** @description Pounds for one unit of the currency, to eight significant digits. */
            inverseRate: string;
            /**
             * Format: date
             * @description Day of the rate.
             */
            date: string;
            /** @description Who publishes the rate. */
            source: string;
            /** @description Terms under which the publisher allows reuse. */
            licence: string;
            /**
             * Format: date-time
             * @description When the rate was taken from the source, ISO 8601 UTC.
             */
            fetchedAt: string;
            /** @description Whether the rate is older than five days. */
            stale: boolean;
        };
        ExchangeRateOfDay: {
            /**
             * Format: date
             * @description Day of the rate.
             */
            date: string;
            /** @description ISO 4217 code, as in /reference/currencies. */
            currency: string;
            /**
             * @description Rates are to the pound.
             * @constant
             */
            base: "GBP";
            /** @description Units of the currency for one pound, an exact decimal. */
            rate: string;
            /** @description Change on the next older rate of the currency in percent, signed, two decimals; null for the oldest. */
            changePercent: string | null;
            /** @description Who publishes the rate. */
            source: string;
            /** @description Terms under which the publisher allows reuse. */
            licence: string;
            /**
             * Format: date-time
             * @description When the rate was taken from the source, ISO 8601 UTC.
             */
            fetchedAt: string;
        };
        MarketOverview: {
            /** @description When the market data last changed, ISO 8601 UTC; null for an empty market. */
            asOf: string | null;
            /** @description Bank Rate of the Bank of England in percent a year, two decimals; null when it is not known. */
            bankRate: string | null;
            /** @description First day of that Bank Rate, ISO 8601 day. */
            bankRateChangedOn: string | null;
            /** @description Day of the next announced decision on Bank Rate; null while no source of ours gives it. */
            nextMpcDate: string | null;
            /** @description Consumer prices index, newest annual rate in percent, two decimals; null when it is not known. */
            cpi: string | null;
            /** @description Month of that rate, for example "2026-08". */
            cpiMonth: string | null;
            /** @description Savings products that are listed. */
            productCount: number;
            /** @description Active providers, also those without a savings product. */
            providerCount: number;
            /** @description Products whose rate is above Bank Rate; null without one. */
            beatingBankRate: number | null;
            /** @description Products whose rate, before tax, is above CPI; null without one. */
            beatingInflation: number | null;
            /** @description Rises of rates today and on the six days before, days in London. */
            risesLast7Days: number;
            /** @description Cuts of rates on the same days. */
            cutsLast7Days: number;
            /** @description The 5 providers with the best rates, best first; a provider stands once. */
            topProviders: {
                /** @description Slug of the provider, as in /reference/providers. */
                slug: string;
                /** @description Display name. */
                name: string;
                /** @description Logo of the provider, an absolute URL; null when it has none. */
                logoUrl: string | null;
                /**
                 * @description Its best rate, AER in percent with two decimals.
                 * @example 4.50
                 */
                bestRate: string;
                /**
                 * @description Type of the product with that rate, as `type` on /rates.
                 * @enum {string}
                 */
                accountType: "all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings";
            }[];
            /** @description The best product of each account type that has one. */
            bestByType: {
                /**
                 * @description Account type, as `type` on /rates.
                 * @enum {string}
                 */
                accountType: "all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings";
                /**
                 * @description Best rate of the type, AER in percent with two decimals.
                 * @example 4.50
                 */
                rate: string;
                /** @description Display name of the provider. */
                provider: string;
                /** @description Stable id of the product; of equal rates that which /rates has first. */
                sourceKey: string;
            }[];
            /** @description Where the figures come from that are not of this market. */
            sources: {
                /**
                 * @description The field that comes from it.
                 * @enum {string}
                 */
                of: "bankRate" | "cpi";
                /** @description Who publishes it. */
                source: string;
                /** @description Terms under which the publisher allows reuse. */
                licence: string;
                /**
                 * Format: date-time
                 * @description Newest day for which the source has confirmed it, ISO 8601 UTC.
                 * @example 2026-11-21T00:00:00.000Z
                 */
                asOf: string;
                /**
                 * Format: date-time
                 * @description When the newest value was taken from the source, ISO 8601 UTC.
                 */
                fetchedAt: string;
                /** @description Whether asOf is older than the rhythm of the source explains, so that a newer value may exist. */
                stale: boolean;
            }[];
        };
        MarketAverage: {
            /**
             * @description Account type, as `type` on /rates.
             * @enum {string}
             */
            accountType: "all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings";
            /** @description Length of the term in months, for example "12m"; null for the accounts without a term. */
            term: string | null;
            /** @description Mean of their rates, AER in percent, rounded half up to two decimals; null where fewer than 3 institutions stand behind it; providers on one licence are one institution. */
            averageRate: string | null;
            /** @description Rate in the middle, AER in percent, of an even number the mean of the two there, rounded half up; null where fewer than 3 institutions stand behind it; providers on one licence are one institution. */
            medianRate: string | null;
            /**
             * @description Best of their rates, AER in percent with two decimals.
             * @example 4.50
             */
            bestRate: string;
            /** @description Products behind the figures. */
            productCount: number;
            /** @description Institutions behind them. */
            institutionCount: number;
            /** @description Mean of the rates that stood one calendar month before asOf, AER in percent, in the same way; null when none is known, and null where fewer than 3 institutions stand behind it; providers on one licence are one institution. */
            monthAgo: string | null;
            /** @description Mean of the rates that stood one year before asOf, AER in percent, in the same way; null when none is known, and null where fewer than 3 institutions stand behind it; providers on one licence are one institution. */
            yearAgo: string | null;
            /** @description Code of the Bank of England series that averages the same kind of account, for example "IUMWTFA"; null without one. */
            boeSeriesCode: string | null;
            /** @description Newest value of that series: a quoted household rate in percent, two decimals. */
            boeRate: string | null;
            /** @description Last day of the month that boeRate is of. */
            boeRateAsOf: string | null;
            /** @description What the series averages. */
            boeSeries: string | null;
            /** @description Where boeRate is published. */
            boeSource: string | null;
            /** @description Terms under which it may be reused. */
            boeLicence: string | null;
            /** @description Whether boeRateAsOf is older than the rhythm of the source explains. */
            boeStale: boolean | null;
            /** @description Day in London on which the market data last changed. */
            asOf: string | null;
        };
        CategoryStats: {
            /**
             * @description Account type, as `type` on /rates.
             * @enum {string}
             */
            accountType: "all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings";
            /** @description Products that are listed. */
            productCount: number;
            /** @description Providers that offer them. */
            providerCount: number;
            /** @description Lowest rate, AER in percent with two decimals; null without products. */
            minRate: string | null;
            /** @description Highest rate, AER in percent with two decimals; null without products. */
            maxRate: string | null;
            /** @description Mean of the rates, AER in percent, rounded half up to two decimals; null where fewer than 3 institutions stand behind it; providers on one licence are one institution. */
            averageRate: string | null;
            /** @description Smallest rate that at least 90 of 100 products do not exceed, AER in percent with two decimals; null without products. */
            percentile90Rate: string | null;
            /** @description Percent of the products that only new customers may open, rounded half up to two decimals; null without products. */
            newCustomersOnlyShare: string | null;
            /** @description Percent of the products whose rate includes a bonus, rounded half up to two decimals; null without products. */
            withBonusShare: string | null;
            /** @description Changes of rate, base or bonus today and on the 29 days before, days in London; launches and withdrawals do not count. */
            changesLast30Days: number;
            /** @description Percent of the products whose provider has its deposits in the Financial Services Compensation Scheme, rounded half up to two decimals; null without products. */
            fscsShare: string | null;
            /** @description When the market data last changed, ISO 8601 UTC; null for an empty market. */
            asOf: string | null;
        };
        CardStats: {
            /**
             * @description The list that carries the cards.
             * @enum {string}
             */
            category: "rewards" | "travel";
            /** @description Cards on it. */
            cardCount: number;
            /** @description Mean of the representative APRs of its credit cards, in percent, rounded half up to two decimals; null where fewer than 3 institutions stand behind it; providers on one licence are one institution. */
            averageRepresentativeApr: string | null;
            /** @description Lowest charge on a payment in another currency, in percent with two decimals; "0.00" is free, null without cards. */
            lowestFxFee: string | null;
            /** @description Cards without an annual fee. */
            feeFreeCount: number;
            /** @description Highest cashback on any part of the spend, in percent with two decimals; on travel cards on spending abroad. Null where no card pays any. */
            highestCashback: string | null;
            /** @description When the market data last changed, ISO 8601 UTC; null for an empty market. */
            asOf: string | null;
        };
        MarketHeroStats: {
            /** @description Savings products that are listed. */
            productsTracked: number;
            /** @description Active providers, also those without a savings product. */
            providersTracked: number;
            /** @description Best rate of all of them, AER in percent with two decimals; null without products. */
            topRate: string | null;
            /** @description Display name of its provider; of equal rates that which /rates has first. */
            topRateProvider: string | null;
            /** @description Changes of rates, launches and withdrawals of today in London: the rows of today on /history. */
            updatesToday: number;
            /** @description When the market data last changed, ISO 8601 UTC; null for an empty market. */
            asOf: string | null;
        };
        MarketBoeRate: {
            /**
             * @description Official Bank Rate in percent a year, two decimals.
             * @example 4.50
             */
            current: string;
            /**
             * Format: date
             * @description First day of the current rate.
             */
            effectiveDate: string;
            /** @description The rate before, in percent; null when it is not known. */
            previous: string | null;
            /** @description Current less previous in percentage points, signed, for example "-0.25"; null when previous is not known. */
            change: string | null;
            /** @description Day of the next announced decision; null while no source of ours gives it. */
            nextDecisionDate: string | null;
            /**
             * @description Code of the series in the database of the Bank of England.
             * @constant
             */
            series: "IUDBEDR";
            /** @description Every known change of the rate, newest first. */
            history: {
                /**
                 * Format: date
                 * @description First day of the rate.
                 */
                date: string;
                /**
                 * @description Rate in percent from that day on.
                 * @example 4.50
                 */
                rate: string;
                /** @description Change in percentage points, signed; null for the first known rate and behind days whose rate is not known. */
                change: string | null;
            }[];
            /** @description Who publishes it. */
            source: string;
            /** @description Terms under which the publisher allows reuse. */
            licence: string;
            /**
             * Format: date-time
             * @description Newest day for which the source has confirmed it, ISO 8601 UTC.
             * @example 2026-11-21T00:00:00.000Z
             */
            asOf: string;
            /**
             * Format: date-time
             * @description When the newest value was taken from the source, ISO 8601 UTC.
             */
            fetchedAt: string;
            /** @description Whether asOf is older than the rhythm of the source explains, so that a newer value may exist. */
            stale: boolean;
        };
        MarketEcbRate: {
            /**
             * Format: date
             * @description First day of these rates.
             */
            effectiveDate: string;
            /** @description Rate of the deposit facility in percent a year, two decimals; null when it is not known. */
            depositFacility: string | null;
            /** @description Fixed rate of the main refinancing operations in percent; null when it is not known. */
            mainRefinancing: string | null;
            /** @description Rate of the marginal lending facility in percent; null when it is not known. */
            marginalLending: string | null;
            /** @description Keys of the series in the ECB Data Portal. */
            seriesKeys: {
                /** @description Series of the deposit facility. */
                depositFacility: string;
                /** @description Series of the main refinancing operations. */
                mainRefinancing: string;
                /** @description Series of the marginal lending facility. */
                marginalLending: string;
            };
            /** @description The three rates from every day on which one of them changed, newest first. */
            history: {
                /**
                 * Format: date
                 * @description First day of these rates.
                 */
                effectiveDate: string;
                /** @description Rate of the deposit facility in percent a year, two decimals; null when it is not known. */
                depositFacility: string | null;
                /** @description Fixed rate of the main refinancing operations in percent; null when it is not known. */
                mainRefinancing: string | null;
                /** @description Rate of the marginal lending facility in percent; null when it is not known. */
                marginalLending: string | null;
            }[];
            /** @description Who publishes it. */
            source: string;
            /** @description Terms under which the publisher allows reuse. */
            licence: string;
            /**
             * Format: date-time
             * @description Newest day for which the source has confirmed it, ISO 8601 UTC.
             * @example 2026-11-21T00:00:00.000Z
             */
            asOf: string;
            /**
             * Format: date-time
             * @description When the newest value was taken from the source, ISO 8601 UTC.
             */
            fetchedAt: string;
            /** @description Whether asOf is older than the rhythm of the source explains, so that a newer value may exist. */
            stale: boolean;
        };
        MarketInflation: {
            /** @description Consumer prices index, annual rate. */
            cpi: {
                /** @description Newest value in percent over twelve months, two decimals; null when none is known. */
                value: string | null;
                /** @description Month of the value, for example "2026-08". */
                month: string | null;
                /** @description Value of the month before, in percent; null when it is not known. */
                previous: string | null;
                /**
                 * @description Identifier of the series in dataset MM23.
                 * @constant
                 */
                seriesId: "D7G7";
            };
            /** @description Consumer prices index with housing costs, annual rate. */
            cpih: {
                /** @description Newest value in percent over twelve months, two decimals; null when none is known. */
                value: string | null;
                /** @description Month of the value, for example "2026-08". */
                month: string | null;
                /** @description Value of the month before, in percent; null when it is not known. */
                previous: string | null;
                /**
                 * @description Identifier of the series in dataset MM23.
                 * @constant
                 */
                seriesId: "L55O";
            };
            /** @description Retail prices index, annual rate. */
            rpi: {
                /** @description Newest value in percent over twelve months, two decimals; null when none is known. */
                value: string | null;
                /** @description Month of the value, for example "2026-08". */
                month: string | null;
                /** @description Value of the month before, in percent; null when it is not known. */
                previous: string | null;
                /**
                 * @description Identifier of the series in dataset MM23.
                 * @constant
                 */
                seriesId: "CZBH";
            };
            /** @description Day on which the newest CPI was released; null when it is not known. */
            releaseDate: string | null;
            /** @description Day of the next announced release; null when it is not known. */
            nextRelease: string | null;
            /** @description Interest rate before tax, in percent, that savings must exceed to keep up with CPI; null without CPI. */
            realRateNeeded: string | null;
            /** @description Annual rates in percent by month, newest first; null when a value is not known. */
            history: {
                /** @description Month, for example "2026-08". */
                month: string;
                /** @description Consumer prices index, percent over twelve months. */
                cpi: string | null;
                /** @description Consumer prices index with housing costs, percent over twelve months. */
                cpih: string | null;
                /** @description Retail prices index, percent over twelve months. */
                rpi: string | null;
            }[];
            /** @description Who publishes it. */
            source: string;
            /** @description Terms under which the publisher allows reuse. */
            licence: string;
            /**
             * Format: date-time
             * @description Newest day for which the source has confirmed it, ISO 8601 UTC.
             * @example 2026-11-21T00:00:00.000Z
             */
            asOf: string;
            /**
             * Format: date-time
             * @description When the newest value was taken from the source, ISO 8601 UTC.
             */
            fetchedAt: string;
            /** @description Whether asOf is older than the rhythm of the source explains, so that a newer value may exist. */
            stale: boolean;
        };
        /** @description A query or path value is not acceptable. */
        InvalidRequestError: {
            /**
             * @description Stable code of the error.
             * @constant
             */
            error: "invalid_request";
            /** @description What to do next, for people. */
            message: string;
            /** @description Request identifier, to quote to support. */
            requestId: string;
            /**
             * Format: uri
             * @description Page about this error.
             */
            docs: string;
        };
        /** @description There is no Authorization header, or it is not a Bearer token. */
        MissingApiKeyError: {
            /**
             * @description Stable code of the error. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "missing_api_key";
            /** @description What to do next, for people. */
            message: string;
            /** @description Request identifier, to quote to support. */
            requestId: string;
            /**
             * Format: uri
             * @description Page about this error.
             */
            docs: string;
        };
        /** @description The key does not exist. */
        InvalidApiKeyError: {
            /**
             * @description Stable code of the error. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "invalid_api_key";
            /** @description What to do next, for people. */
            message: string;
            /** @description Request identifier, to quote to support. */
            requestId: string;
            /**
             * Format: uri
             * @description Page about this error.
             */
            docs: string;
        };
        /** @description The balance is below the price of one row, or of the call. */
        InsufficientCreditsError: {
            /**
             * @description Stable code of the error.
             * @constant
             */
            error: "insufficient_credits";
            /** @description What to do next, for people. */
            message: string;
            /** @description Request identifier, to quote to support. */
            requestId: string;
            /**
             * Format: uri
             * @description Page about this error.
             */
            docs: string;
            /** @description Credits that one row or the call costs, a whole number. */
            required: number;
            /** @description Credits in the account now, a whole number. */
            balance: number;
            /**
             * Format: uri
             * @description Address of the page where credits are bought.
             */
            topUp: string;
            /**
             * @description `spend_cap` or `max_credits` when it is not the balance that stops the call, `debt` when the balance is below zero.
             * @enum {string}
             */
            reason?: "spend_cap" | "max_credits" | "debt";
        };
        /** @description The key has been revoked or has expired. */
        KeyRevokedError: {
            /**
             * @description Stable code of the error. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "key_revoked";
            /** @description What to do next, for people. */
            message: string;
            /** @description Request identifier, to quote to support. */
            requestId: string;
            /**
             * Format: uri
             * @description Page about this error.
             */
            docs: string;
            /**
             * @description `expired` when the key reached its end; left out when somebody revoked it.
             * @constant
             */
            reason?: "expired";
        };
        /** @description The account is blocked, or not yet approved for live calls. */
        AccountBlockedError: {
            /**
             * @description Stable code of the error. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "account_blocked";
            /** @description What to do next, for people. */
            message: string;
            /** @description Request identifier, to quote to support. */
            requestId: string;
            /**
             * Format: uri
             * @description Page about this error.
             */
            docs: string;
            /** @description `review_pending`, `review_declined`, the reason for the block in words, or null when it cannot be shared. */
            reason: string | null;
        };
        /** @description The key lacks the scope that the endpoint needs. */
        InsufficientScopeError: {
            /**
             * @description Stable code of the error. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "insufficient_scope";
            /** @description What to do next, for people. */
            message: string;
            /** @description Request identifier, to quote to support. */
            requestId: string;
            /**
             * Format: uri
             * @description Page about this error.
             */
            docs: string;
            /** @description The scope that the endpoint needs. */
            required: string;
        };
        /** @description The key has an address list and the caller is not on it. */
        IpNotAllowedError: {
            /**
             * @description Stable code of the error. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "ip_not_allowed";
            /** @description What to do next, for people. */
            message: string;
            /** @description Request identifier, to quote to support. */
            requestId: string;
            /**
             * Format: uri
             * @description Page about this error.
             */
            docs: string;
        };
        /** @description The Data Licence changed and the time to accept it has ended. */
        LicenceReacceptanceRequiredError: {
            /**
             * @description Stable code of the error. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "licence_reacceptance_required";
            /** @description What to do next, for people. */
            message: string;
            /** @description Request identifier, to quote to support. */
            requestId: string;
            /**
             * Format: uri
             * @description Page about this error.
             */
            docs: string;
        };
        /** @description A test key called an endpoint that has no sample data. */
        SampleDataUnavailableError: {
            /**
             * @description Stable code of the error. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "sample_data_unavailable";
            /** @description What to do next, for people. */
            message: string;
            /** @description Request identifier, to quote to support. */
            requestId: string;
            /**
             * Format: uri
             * @description Page about this error.
             */
            docs: string;
        };
        /** @description A live key called an endpoint that is open to test keys only. */
        EndpointRestrictedError: {
            /**
             * @description Stable code of the error. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "endpoint_restricted";
            /** @description What to do next, for people. */
            message: string;
            /** @description Request identifier, to quote to support. */
            requestId: string;
            /**
             * Format: uri
             * @description Page about this error.
             */
            docs: string;
        };
        /** @description A live key called an endpoint above the plan of its account. */
        PlanUpgradeRequiredError: {
            /**
             * @description Stable code of the error. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            error: "plan_upgrade_required";
            /** @description What to do next, for people. */
            message: string;
            /** @description Request identifier, to quote to support. */
            requestId: string;
            /**
             * Format: uri
             * @description Page about this error.
             */
            docs: string;
            /**
             * @description The least plan that may call it: `hobby`, `business` or `enterprise`.
             * @enum {string}
             */
            requiredPlan: "hobby" | "business" | "enterprise";
        };
        /** @description There is no such route or item, or the endpoint is not launched yet. */
        NotFoundError: {
            /**
             * @description Stable code of the error.
             * @constant
             */
            error: "not_found";
            /** @description What to do next, for people. */
            message: string;
            /** @description Request identifier, to quote to support. */
            requestId: string;
            /**
             * Format: uri
             * @description Page about this error.
             */
            docs: string;
        };
        /** @description The data changed since the call with this Idempotency-Key was charged. */
        ReplayUnavailableError: {
            /**
             * @description Stable code of the error.
             * @constant
             */
            error: "replay_unavailable";
            /** @description What to do next, for people. */
            message: string;
            /** @description Request identifier, to quote to support. */
            requestId: string;
            /**
             * Format: uri
             * @description Page about this error.
             */
            docs: string;
        };
        /** @description A limit on requests a minute or a day is reached. */
        RateLimitedError: {
            /**
             * @description Stable code of the error.
             * @constant
             */
            error: "rate_limited";
            /** @description What to do next, for people. */
            message: string;
            /** @description Request identifier, to quote to support. */
            requestId: string;
            /**
             * Format: uri
             * @description Page about this error.
             */
            docs: string;
            /** @description Seconds to wait, a whole number. */
            retryAfter: number;
        };
        /** @description The service failed. */
        InternalError: {
            /**
             * @description Stable code of the error.
             * @constant
             */
            error: "internal_error";
            /** @description What to do next, for people. */
            message: string;
            /** @description Request identifier, to quote to support. */
            requestId: string;
            /**
             * Format: uri
             * @description Page about this error.
             */
            docs: string;
        };
    };
    responses: {
        /** @description Nothing changed since the answer with this ETag. No body, no charge. */
        NotModified: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `invalid_request`: A query or path value is not acceptable. Nothing is charged. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidRequestError"];
            };
        };
        /** @description `missing_api_key`: There is no Authorization header, or it is not a Bearer token. `invalid_api_key`: The key does not exist. Nothing is charged. */
        Unauthorised: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MissingApiKeyError"] | components["schemas"]["InvalidApiKeyError"];
            };
        };
        /** @description `insufficient_credits`: The balance is below the price of one row, or of the call. Nothing is charged. */
        PaymentRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InsufficientCreditsError"];
            };
        };
        /** @description `key_revoked`: The key has been revoked or has expired. `account_blocked`: The account is blocked, or not yet approved for live calls. `insufficient_scope`: The key lacks the scope that the endpoint needs. `ip_not_allowed`: The key has an address list and the caller is not on it. `licence_reacceptance_required`: The Data Licence changed and the time to accept it has ended. `sample_data_unavailable`: A test key called an endpoint that has no sample data. `endpoint_restricted`: A live key called an endpoint that is open to test keys only. `plan_upgrade_required`: A live key called an endpoint above the plan of its account. Nothing is charged. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["KeyRevokedError"] | components["schemas"]["AccountBlockedError"] | components["schemas"]["InsufficientScopeError"] | components["schemas"]["IpNotAllowedError"] | components["schemas"]["LicenceReacceptanceRequiredError"] | components["schemas"]["SampleDataUnavailableError"] | components["schemas"]["EndpointRestrictedError"] | components["schemas"]["PlanUpgradeRequiredError"];
            };
        };
        /** @description `not_found`: There is no such route or item, or the endpoint is not launched yet. Nothing is charged. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        /** @description `replay_unavailable`: The data changed since the call with this Idempotency-Key was charged. Nothing is charged. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ReplayUnavailableError"];
            };
        };
        /** @description `rate_limited`: A limit on requests a minute or a day is reached. Nothing is charged. */
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
            /** @description The answer. */
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
            /** @description The answer. */
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
            /** @description The answer. */
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
                /** @description Account type; "all" is the same as leaving it out. */
                type?: "all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings";
                /** @description Slug of a provider, as in /reference/providers. */
                provider?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
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
            /** @description The answer. */
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
            /** @description The answer. */
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
            /** @description The answer. */
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
            /** @description The answer. */
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
                /** @description Account type; "all" is the same as leaving it out. */
                type?: "all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings";
                /** @description Slug of a provider, as in /reference/providers. */
                provider?: string;
                /** @description A balance in GBP: only products that accept it are listed. At most two decimals. */
                amount?: number;
                /** @description Rows on a page: 10 unless given, 50 at most. More is cut to 50; meta.limit says what was applied. */
                limit?: number;
                /** @description Token of the next page, unchanged from meta.nextCursor. Path and filters stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Names of fields with commas between them: every row is trimmed to these. Known: sourceKey, provider, providerSlug, accountName, accountType, rate, baseRate, boostRate, boostDuration, interestPaid, interestType, access, minBalance, maxBalance, maxMonthlyDeposit, fscsDetails, newCustomersOnly, depositscoutUrl, matchReasons, updatedAt, providerLogoUrl. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
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
                /** @description Stable product id. */
                sourceKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
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
                /** @description Stable product id. */
                sourceKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
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
                /** @description Account type; "all" is the same as leaving it out. */
                type?: "all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings";
                /** @description Slug of a provider, as in /reference/providers. */
                provider?: string;
                /** @description Only this product, listed or withdrawn. */
                sourceKey?: string;
                /** @description First day on which a change took effect, included. */
                from?: string;
                /** @description Last day on which a change took effect, included. */
                to?: string;
                /** @description Rows on a page: 10 unless given, 50 at most. More is cut to 50; meta.limit says what was applied. */
                limit?: number;
                /** @description Token of the next page, unchanged from meta.nextCursor. Path and filters stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Names of fields with commas between them: every row is trimmed to these. Known: id, sourceKey, provider, providerSlug, accountName, accountType, previousRate, newRate, rateChange, direction, effectiveDate, detectedAt, previousEffectiveDate, daysSincePreviousChange, bankRateAtChange, providerLogoUrl. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
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
                /** @description Account type; "all" is the same as leaving it out. */
                type?: "all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings";
                /** @description Slug of a provider, as in /reference/providers. */
                provider?: string;
                /** @description Only this product, listed or withdrawn. */
                sourceKey?: string;
                /** @description First day on which a change took effect, included. */
                from?: string;
                /** @description Last day on which a change took effect, included. */
                to?: string;
                /** @description Rows on a page: 10 unless given, 50 at most. More is cut to 50; meta.limit says what was applied. */
                limit?: number;
                /** @description Token of the next page, unchanged from meta.nextCursor. Path and filters stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Names of fields with commas between them: every row is trimmed to these. Known: id, sourceKey, provider, providerSlug, accountName, accountType, effectiveFrom, effectiveTo, baseRate, boostRate, rate, boostDuration, boostEndsOn. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
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
                /** @description Account type; "all" is the same as leaving it out. */
                type?: "all" | "easy-access" | "fixed-rate" | "notice" | "cash-isa" | "junior-isa" | "lifetime-isa" | "stocks-shares-isa" | "regular-saver" | "childrens-savings";
                /** @description Slug of a provider: only its products. */
                provider?: string;
                /** @description Only this product, listed or withdrawn. */
                sourceKey?: string;
                /** @description Length of the window in days, up to today; 365 unless given. */
                days?: number;
                /** @description First day of the window, instead of "days". */
                from?: string;
                /** @description Names of fields with commas between them: every row is trimmed to these. Known: seriesId, label, accountType, providerSlug, sourceKey, metric, unit, points, first, last, change, providerLogoUrl. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
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
                /** @description Rows on a page: 10 unless given, 50 at most. More is cut to 50; meta.limit says what was applied. */
                limit?: number;
                /** @description Token of the next page, unchanged from meta.nextCursor. Path and filters stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Names of fields with commas between them: every row is trimmed to these. Known: slug, name, logoUrl, legalName, frn, providerType, website, founded, headquarters, ownerName, ownerCountry, protectionScheme, protectionLimit, licenceGroup, sharesLicenceWith, trustScore, trustReviewCount, trustSource, trustAsOf, productCount, topRate, accountTypes, cassParticipant, updatedAt. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
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
            /** @description The answer. */
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
            /** @description The answer. */
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
                /** @description Rows on a page: 10 unless given, 50 at most. More is cut to 50; meta.limit says what was applied. */
                limit?: number;
                /** @description Token of the next page, unchanged from meta.nextCursor. Path and filters stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Names of fields with commas between them: every row is trimmed to these. Known: offerKey, provider, providerSlug, logoUrl, accountName, accountKind, bonusAmount, bonusType, totalValue, extraBenefits, minPayIn, payInWithinDays, payInFrequency, minDirectDebits, directDebitsMustTransfer, minCardPayments, cardPaymentsWithinDays, digitalLoginRequired, monthlyFee, minAnnualIncome, switchWithinDays, fullSwitchRequired, cassParticipant, payoutWithinDays, startDate, endDate, newCustomersOnly, excludedIfHeldSince, previousBonusExcluded, previousBonusSince, eligibility, exclusions, termsUrl, status, updatedAt. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
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
                /** @description Rows on a page: 10 unless given, 50 at most. More is cut to 50; meta.limit says what was applied. */
                limit?: number;
                /** @description Token of the next page, unchanged from meta.nextCursor. Path and filters stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Names of fields with commas between them: every row is trimmed to these. Known: offerKey, provider, providerSlug, logoUrl, accountName, accountType, headline, creditInterestRate, creditInterestMaxBalance, cashbackRate, cashbackCategories, cashbackCap, monthlyFee, overdraftRate, overdraftInterestFreeAmount, introductoryPeriod, minPayIn, minDirectDebits, linkedSaverRate, startDate, endDate, newCustomersOnly, termsUrl, updatedAt. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
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
                /** @description Rows on a page: 10 unless given, 50 at most. More is cut to 50; meta.limit says what was applied. */
                limit?: number;
                /** @description Token of the next page, unchanged from meta.nextCursor. Path and filters stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Names of fields with commas between them: every row is trimmed to these. Known: sourceKey, name, provider, providerSlug, logoUrl, imageUrl, network, cardType, rewardType, rewardCurrencyName, earnRate, rewardTiers, introRate, introDurationMonths, welcomeBonus, annualFee, firstYearFee, representativeApr, purchaseRate, minCreditLimit, fxFee, cashAdvanceFee, minAnnualIncome, estimatedAnnualValue, representativeExample, newCustomersOnly, updatedAt. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
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
                /** @description A code of /reference/currencies: only cards that pay in it. */
                currency?: string;
                /** @description Rows on a page: 10 unless given, 50 at most. More is cut to 50; meta.limit says what was applied. */
                limit?: number;
                /** @description Token of the next page, unchanged from meta.nextCursor. Path and filters stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Names of fields with commas between them: every row is trimmed to these. Known: sourceKey, name, provider, providerSlug, logoUrl, imageUrl, network, cardType, fxFee, weekendFxFee, atmFeePercent, atmFeeMinimum, atmFreeLimit, cashInterestFromDay1, cashRate, representativeApr, annualFee, exchangeRateSource, currency, indicativeRate, indicativeRateDate, costPer100, supportedCurrencies, rewardOnForeignSpend, updatedAt. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
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
            /** @description The answer. */
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
                /** @description Stable card id, as in /reference/cards. */
                sourceKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
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
                /** @description Stable product id. Give either this or "rate". */
                sourceKey?: string;
                /** @description A plain yearly rate in percent, such as 4.50. Give either this or "sourceKey". At most two decimals. */
                rate?: number;
                /** @description Balance at the start, in GBP. At most two decimals. */
                amount?: number;
                /** @description Another name of "amount". Give one of them. At most two decimals. */
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
            /** @description The answer. */
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
                /** @description Taxable income of the year in GBP before tax, without savings interest and dividends. At most two decimals. */
                income: number;
                /** @description Savings interest of the year in GBP, without interest in ISAs. At most two decimals. */
                interest: number;
                /** @description Tax year, from 6 April to 5 April, such as 2026-27. Left out, it is the current one by the date in London. */
                taxYear?: "2023-24" | "2024-25" | "2025-26" | "2026-27" | "2027-28";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
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
                /** @description Everything paid into ISAs in the tax year, in GBP. At most two decimals. */
                used?: number;
                /** @description Paid into cash ISAs in the tax year, in GBP. At most two decimals. */
                cash?: number;
                /** @description Paid into stocks and shares ISAs in the tax year, in GBP. At most two decimals. */
                stocksShares?: number;
                /** @description Paid into innovative finance ISAs in the tax year, in GBP. At most two decimals. */
                innovativeFinance?: number;
                /** @description Paid into a lifetime ISA in the tax year, in GBP, without the bonus. At most two decimals. */
                lifetime?: number;
                /** @description Taken out of ISAs in the tax year, in GBP. At most two decimals. */
                withdrawn?: number;
                /** @description Whether the ISA that money was taken out of is flexible; false when left out. */
                flexible?: boolean;
                /** @description Age in whole years: 18 or over, and in 2023-24 16 or over, when cash ISAs were open from that age. */
                age?: number;
                /** @description Tax year, from 6 April to 5 April, such as 2026-27. Left out, it is the current one by the date in London. */
                taxYear?: "2023-24" | "2024-25" | "2025-26" | "2026-27" | "2027-28";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
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
                /** @description Amount at the start, in GBP. At most two decimals. */
                amount: number;
                /** @description Yearly rate in percent, such as 4.50. At most two decimals. */
                rate: number;
                /** @description Number of months. */
                months: number;
                /** @description Paid in at the start of every month, in GBP; 0 when left out. At most two decimals. */
                monthly?: number;
                /** @description Yearly inflation in percent, to give the end balance in today's money too. At most two decimals. */
                inflation?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
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
                /** @description Paid in at the start of every month, in GBP. At most two decimals. */
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
            /** @description The answer. */
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
                /** @description Only this currency: a code of /reference/currencies. One without a rate, as GBP is, to which rates are, gives an empty page, charged like any other; leave it out to see which have one. */
                currency?: string;
                /** @description Rows on a page: 10 unless given, 50 at most. More is cut to 50; meta.limit says what was applied. */
                limit?: number;
                /** @description Token of the next page, unchanged from meta.nextCursor. Path and filters stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Names of fields with commas between them: every row is trimmed to these. Known: currency, name, base, rate, inverseRate, date, source, licence, fetchedAt, stale. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
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
                /** @description Only this currency: a code of /reference/currencies. One without a rate, as GBP is, to which rates are, gives an empty page, charged like any other; leave it out to see which have one. */
                currency?: string;
                /** @description First day, included. */
                from?: string;
                /** @description Last day, included. */
                to?: string;
                /** @description Rows on a page: 10 unless given, 50 at most. More is cut to 50; meta.limit says what was applied. */
                limit?: number;
                /** @description Token of the next page, unchanged from meta.nextCursor. Path and filters stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Names of fields with commas between them: every row is trimmed to these. Known: date, currency, base, rate, changePercent, source, licence, fetchedAt. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
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
            /** @description The answer. */
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
                /** @description Rows on a page: 10 unless given, 50 at most. More is cut to 50; meta.limit says what was applied. */
                limit?: number;
                /** @description Token of the next page, unchanged from meta.nextCursor. Path and filters stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Names of fields with commas between them: every row is trimmed to these. Known: accountType, term, averageRate, medianRate, bestRate, productCount, institutionCount, monthAgo, yearAgo, boeSeriesCode, boeRate, boeRateAsOf, boeSeries, boeSource, boeLicence, boeStale, asOf. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
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
                /** @description Rows on a page: 10 unless given, 50 at most. More is cut to 50; meta.limit says what was applied. */
                limit?: number;
                /** @description Token of the next page, unchanged from meta.nextCursor. Path and filters stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Names of fields with commas between them: every row is trimmed to these. Known: accountType, productCount, providerCount, minRate, maxRate, averageRate, percentile90Rate, newCustomersOnlyShare, withBonusShare, changesLast30Days, fscsShare, asOf. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
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
                /** @description Rows on a page: 10 unless given, 50 at most. More is cut to 50; meta.limit says what was applied. */
                limit?: number;
                /** @description Token of the next page, unchanged from meta.nextCursor. Path and filters stay the same; limit and fields may change. */
                cursor?: string;
                /** @description Names of fields with commas between them: every row is trimmed to these. Known: category, cardCount, averageRepresentativeApr, lowestFxFee, feeFreeCount, highestCashback, asOf. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
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
            /** @description The answer. */
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
            /** @description The answer. */
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
            /** @description The answer. */
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
            /** @description The answer. */
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
                    /** @description Id of the event. It stays the same when a delivery is repeated: use it to tell repeats. */
                    id: string;
                    /** @constant */
                    type: "rate.changed";
                    /**
                     * Format: date-time
                     * @description When it happened, UTC.
                     */
                    createdAt: string;
                    /** @description Which attempt this is, counted from 1. */
                    attempt: number;
                    data: components["schemas"]["RateChange"];
                };
            };
        };
        responses: {
            /** @description Delivered. Any other answer, or none within 10 seconds, is a failure, a redirect too, and is tried again after 1 min, 5 min, 30 min, 2 h, 12 h; then the delivery is dead and can be sent again by hand. 410 switches the endpoint off. `Retry-After` with 429 or 503 is heeded up to the longest wait. Five days of nothing but failures switch the endpoint off. Events come in order as long as each is answered with 2xx; one that failed comes later. */
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
                    /** @description Id of the event. It stays the same when a delivery is repeated: use it to tell repeats. */
                    id: string;
                    /** @constant */
                    type: "product.added";
                    /**
                     * Format: date-time
                     * @description When it happened, UTC.
                     */
                    createdAt: string;
                    /** @description Which attempt this is, counted from 1. */
                    attempt: number;
                    data: components["schemas"]["SavingsProduct"];
                };
            };
        };
        responses: {
            /** @description Delivered. Any other answer, or none within 10 seconds, is a failure, a redirect too, and is tried again after 1 min, 5 min, 30 min, 2 h, 12 h; then the delivery is dead and can be sent again by hand. 410 switches the endpoint off. `Retry-After` with 429 or 503 is heeded up to the longest wait. Five days of nothing but failures switch the endpoint off. Events come in order as long as each is answered with 2xx; one that failed comes later. */
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
                    /** @description Id of the event. It stays the same when a delivery is repeated: use it to tell repeats. */
                    id: string;
                    /** @constant */
                    type: "product.withdrawn";
                    /**
                     * Format: date-time
                     * @description When it happened, UTC.
                     */
                    createdAt: string;
                    /** @description Which attempt this is, counted from 1. */
                    attempt: number;
                    data: components["schemas"]["SavingsProduct"];
                };
            };
        };
        responses: {
            /** @description Delivered. Any other answer, or none within 10 seconds, is a failure, a redirect too, and is tried again after 1 min, 5 min, 30 min, 2 h, 12 h; then the delivery is dead and can be sent again by hand. 410 switches the endpoint off. `Retry-After` with 429 or 503 is heeded up to the longest wait. Five days of nothing but failures switch the endpoint off. Events come in order as long as each is answered with 2xx; one that failed comes later. */
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
                    /** @description Id of the event. It stays the same when a delivery is repeated: use it to tell repeats. */
                    id: string;
                    /** @constant */
                    type: "switch_offer.changed";
                    /**
                     * Format: date-time
                     * @description When it happened, UTC.
                     */
                    createdAt: string;
                    /** @description Which attempt this is, counted from 1. */
                    attempt: number;
                    data: components["schemas"]["SwitchOffer"];
                };
            };
        };
        responses: {
            /** @description Delivered. Any other answer, or none within 10 seconds, is a failure, a redirect too, and is tried again after 1 min, 5 min, 30 min, 2 h, 12 h; then the delivery is dead and can be sent again by hand. 410 switches the endpoint off. `Retry-After` with 429 or 503 is heeded up to the longest wait. Five days of nothing but failures switch the endpoint off. Events come in order as long as each is answered with 2xx; one that failed comes later. */
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
                    /** @description Id of the event. It stays the same when a delivery is repeated: use it to tell repeats. */
                    id: string;
                    /** @constant */
                    type: "balance.low";
                    /**
                     * Format: date-time
                     * @description When it happened, UTC.
                     */
                    createdAt: string;
                    /** @description Which attempt this is, counted from 1. */
                    attempt: number;
                    data: {
                        /** @description Id of the account, as in `/me`. */
                        account: string;
                        /** @description The lowest threshold that the balance has fallen to. One is told once, until credits come in. */
                        thresholdCredits: number;
                        /** @description Balance at that moment in service credits; below zero after a refund of credits that were spent. */
                        balanceCredits: number;
                        /**
                         * Format: date-time
                         * @description The moment that the balance is of, UTC.
                         */
                        at: string;
                        /**
                         * Format: uri
                         * @description Page at which the account tops up.
                         */
                        topUp: string;
                    };
                };
            };
        };
        responses: {
            /** @description Delivered. Any other answer, or none within 10 seconds, is a failure, a redirect too, and is tried again after 1 min, 5 min, 30 min, 2 h, 12 h; then the delivery is dead and can be sent again by hand. 410 switches the endpoint off. `Retry-After` with 429 or 503 is heeded up to the longest wait. Five days of nothing but failures switch the endpoint off. Events come in order as long as each is answered with 2xx; one that failed comes later. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
