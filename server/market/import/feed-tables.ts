import type { z } from 'zod'
import type { FeedKind } from './feed-kind.ts'
import type { feedSchemas } from './feed-schema.ts'

type FieldOf<Kind extends FeedKind> = Exclude<keyof z.output<(typeof feedSchemas)[Kind]>, 'kind'>

/** A column that a feed fills: its type in PostgreSQL and the field that it comes from. */
export type Column = { readonly type: 'text' | 'int' | 'bigint' | 'boolean' | 'timestamptz(3)'; readonly field: string }

/** How a kind of feed meets its table. Everything here goes into SQL as it stands; nothing of it comes from a feed. */
export type FeedTable = {
  readonly table: string
  readonly key: string
  readonly columns: Readonly<Record<string, Column>>
  /**
   * The time of a check, kept up to date without counting as a change: it leaves `updated_at` alone. When the feed leaves it out,
   * `keptWhile` (over the feed's row `f` and the standing row `t`) says whether the standing time still holds; else it is the import's.
   */
  readonly checked: { readonly column: string; readonly keptWhile: string } | null
  /** Column that names a provider of the same dataset, which has to exist. */
  readonly reference: 'provider_slug' | null
  /** Whether a standing row `t` counts as listed. A row that is not listed is not withdrawn again. */
  readonly listed: string
  /** How a listed row that a complete feed no longer names is withdrawn: these assignments, or null to delete it. */
  readonly withdraw: string | null
  /** What brings a withdrawn row back when the feed names it again; null when the feed's own columns do. */
  readonly restore: string | null
  /** Whether rows remember when they were first seen. */
  readonly hasCreatedAt: boolean
}

const column = (type: Column['type'], field: string): Column => ({ type, field })

/** Every field of the kind's schema exactly once, so that a field added to a schema does not compile until it has its column. */
type ColumnsOf<Kind extends FeedKind> = { readonly [Field in FieldOf<Kind>]: readonly [name: string, type: Column['type']] }

function columnsOf<Kind extends FeedKind>(columns: ColumnsOf<Kind>): Record<string, Column> {
  const entries = Object.entries<readonly [string, Column['type']]>(columns)
  return Object.fromEntries(entries.map(([field, [name, type]]) => [name, column(type, field)]))
}

const provider: FeedTable = {
  table: 'provider',
  key: 'slug',
  columns: columnsOf<'provider'>({
    slug: ['slug', 'text'],
    name: ['name', 'text'],
    legalName: ['legal_name', 'text'],
    frn: ['frn', 'text'],
    providerType: ['provider_type', 'text'],
    website: ['website', 'text'],
    founded: ['founded', 'int'],
    headquarters: ['headquarters', 'text'],
    ownerName: ['owner_name', 'text'],
    ownerCountry: ['owner_country', 'text'],
    protectionScheme: ['protection_scheme', 'text'],
    protectionLimit: ['protection_limit_pence', 'bigint'],
    licenceGroup: ['licence_group', 'text'],
    cassParticipant: ['cass_participant', 'boolean'],
    active: ['active', 'boolean'],
    colour: ['colour', 'text'],
  }),
  checked: null,
  reference: null,
  listed: 't.active',
  withdraw: 'active = false',
  restore: null,
  hasCreatedAt: false,
}

const product: FeedTable = {
  table: 'product',
  key: 'source_key',
  columns: columnsOf<'product'>({
    sourceKey: ['source_key', 'text'],
    providerSlug: ['provider_slug', 'text'],
    accountName: ['account_name', 'text'],
    accountType: ['account_type', 'text'],
    rate: ['rate_bp', 'int'],
    baseRate: ['base_rate_bp', 'int'],
    boostRate: ['boost_rate_bp', 'int'],
    boostDuration: ['boost_duration', 'text'],
    interestPaid: ['interest_paid', 'text'],
    interestType: ['interest_type', 'text'],
    access: ['access', 'text'],
    minBalance: ['min_balance_pence', 'bigint'],
    maxBalance: ['max_balance_pence', 'bigint'],
    maxMonthlyDeposit: ['max_monthly_deposit_pence', 'bigint'],
    termMonths: ['term_months', 'int'],
    noticeDays: ['notice_days', 'int'],
    fscsDetails: ['fscs_details', 'text'],
    newCustomersOnly: ['new_customers_only', 'boolean'],
    url: ['url', 'text'],
    urlCheckedAt: ['url_checked_at', 'timestamptz(3)'],
  }),
  // An address that stays the same keeps its last check; a new one counts as seen by the feed that brought it.
  checked: { column: 'url_checked_at', keptWhile: 't.url = f.url' },
  reference: 'provider_slug',
  listed: 't.withdrawn_at IS NULL',
  withdraw: 'withdrawn_at = $2::timestamptz',
  restore: 'withdrawn_at = NULL',
  hasCreatedAt: true,
}

const card: FeedTable = {
  table: 'card',
  key: 'source_key',
  columns: columnsOf<'card'>({
    sourceKey: ['source_key', 'text'],
    list: ['list', 'text'],
    name: ['name', 'text'],
    provider: ['provider_name', 'text'],
    providerSlug: ['provider_slug', 'text'],
  }),
  checked: null,
  reference: 'provider_slug',
  listed: 'true',
  withdraw: null,
  restore: null,
  hasCreatedAt: false,
}

export const feedTables = { provider, product, card } as const satisfies Record<FeedKind, FeedTable>
