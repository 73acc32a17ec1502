export const cardLists = ['rewards', 'travel'] as const

export type CardList = (typeof cardLists)[number]

export const cardNetworks = ['visa', 'mastercard', 'amex'] as const

export type CardNetwork = (typeof cardNetworks)[number]

export const cardTypes = ['credit', 'charge', 'debit', 'prepaid'] as const

export type CardType = (typeof cardTypes)[number]

/** Periods to which a limit on rewards or allowances can apply. */
export const spendPeriods = ['day', 'week', 'month', 'quarter', 'year'] as const

export type SpendPeriod = (typeof spendPeriods)[number]

/** Payment card and the list it is on. */
export type Card = {
  readonly sourceKey: string
  readonly list: CardList
  readonly name: string
  readonly provider: string
  /** Null if the issuer isn't a provider in the rates data. */
  readonly providerSlug: string | null
  /** Path of the provider's logo on this service; null if it has none. */
  readonly logoPath: string | null
  /** Path of the card image on this service. */
  readonly imagePath: string
  /** Background of the card image, `#rrggbb`: the provider's colour; null if it has none. */
  readonly colour: string | null
  /** Null for a card imported before feeds included terms. Such a card appears only in the reference list of keys and names. */
  readonly network: CardNetwork | null
  readonly updatedAt: string
}

/** Terms common to both lists. Rates in hundredths of a percent, amounts in pence. */
export type CommonTerms = {
  readonly network: CardNetwork
  readonly cardType: CardType
  readonly annualFeePence: number
  /** Null for cards without credit. */
  readonly representativeAprBp: number | null
  /** Fee on payments in another currency; 0 is free. */
  readonly fxFeeBp: number
}
