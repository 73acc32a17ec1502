export const providerTypes = ['bank', 'building-society', 'government', 'platform', 'e-money', 'credit-union'] as const

export type ProviderType = (typeof providerTypes)[number]

/** Customer reviews, as published by their source. */
export type ProviderTrust = {
  /** Average score in tenths, 0 to 50. */
  readonly scoreTenths: number
  readonly reviewCount: number | null
  readonly source: string
  /** ISO date. */
  readonly asOf: string
}

/** Firm that offers products. Amounts in pence, `updatedAt` in ISO 8601 UTC, null means unknown or none. */
export type Provider = {
  readonly slug: string
  readonly name: string
  readonly legalName: string
  readonly frn: string | null
  readonly providerType: ProviderType
  readonly website: string
  /** Year founded. */
  readonly founded: number | null
  readonly headquarters: string | null
  readonly ownerName: string | null
  /** ISO 3166-1 alpha-2. */
  readonly ownerCountry: string | null
  readonly protectionScheme: string
  /** Protection limit per person; null if unlimited or dependent on a partner bank. */
  readonly protectionLimitPence: number | null
  /** Providers with the same value share one protection limit. */
  readonly licenceGroup: string
  readonly cassParticipant: boolean
  /** Background of the monogram, `#rrggbb`; null if the provider has no logo. */
  readonly colour: string | null
  /** Path of the logo on this service; null if the provider has none. */
  readonly logoPath: string | null
  /** Summary of customer reviews; omitted if there are none. */
  readonly trust?: ProviderTrust
  readonly updatedAt: string
}
