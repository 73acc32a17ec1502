export const providerTypes = ['bank', 'building-society', 'government', 'platform', 'e-money', 'credit-union'] as const

export type ProviderType = (typeof providerTypes)[number]

/** Reviews of customers, as their source gives them. */
export type ProviderTrust = {
  /** Mean in tenths, 0 to 50. */
  readonly scoreTenths: number
  readonly reviewCount: number | null
  readonly source: string
  /** ISO date. */
  readonly asOf: string
}

/** A firm that offers products. Amounts are whole pence, `updatedAt` is ISO 8601 UTC, null means unknown or none. */
export type Provider = {
  readonly slug: string
  readonly name: string
  readonly legalName: string
  readonly frn: string | null
  readonly providerType: ProviderType
  readonly website: string
  /** Calendar year. */
  readonly founded: number | null
  readonly headquarters: string | null
  readonly ownerName: string | null
  /** ISO 3166-1 alpha-2. */
  readonly ownerCountry: string | null
  readonly protectionScheme: string
  /** Protected for each person; null when there is no limit or it depends on a partner bank. */
  readonly protectionLimitPence: number | null
  /** Providers with the same value share one protection limit. */
  readonly licenceGroup: string
  readonly cassParticipant: boolean
  /** `#rrggbb`, the ground of the monogram; null when the provider has no logo. */
  readonly colour: string | null
  /** Path of the logo on this service; null when the provider has none. */
  readonly logoPath: string | null
  /** What its customers' reviews come to; left out when nobody collected any. */
  readonly trust?: ProviderTrust
  readonly updatedAt: string
}
