export const cardLists = ['rewards', 'travel'] as const

export type CardList = (typeof cardLists)[number]

export const cardNetworks = ['visa', 'mastercard', 'amex'] as const

export type CardNetwork = (typeof cardNetworks)[number]

export const cardTypes = ['credit', 'charge', 'debit', 'prepaid'] as const

export type CardType = (typeof cardTypes)[number]

/** What a reward or an allowance is counted over. */
export const spendPeriods = ['day', 'week', 'month', 'quarter', 'year'] as const

export type SpendPeriod = (typeof spendPeriods)[number]

/** A payment card and the list that carries it. */
export type Card = {
  readonly sourceKey: string
  readonly list: CardList
  readonly name: string
  readonly provider: string
  /** Null when the issuer is no provider of the rates data. */
  readonly providerSlug: string | null
  /** Path of the provider's logo on this service; null when it has none. */
  readonly logoPath: string | null
  /** Path of the drawn card on this service. */
  readonly imagePath: string
  /** `#rrggbb`, the ground of the drawn card: the provider's colour; null when it has none. */
  readonly colour: string | null
  /** Null for a card that was taken in before feeds held terms; it is then on no list but that of keys and names. */
  readonly network: CardNetwork | null
  readonly updatedAt: string
}

/** What the terms of both lists have in common. Rates are hundredths of a percent, amounts pence. */
export type CommonTerms = {
  readonly network: CardNetwork
  readonly cardType: CardType
  readonly annualFeePence: number
  /** Null for cards without credit. */
  readonly representativeAprBp: number | null
  /** Charge on a payment in another currency; 0 is free. */
  readonly fxFeeBp: number
}
