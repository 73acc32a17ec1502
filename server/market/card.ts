export const cardLists = ['rewards', 'travel'] as const

export type CardList = (typeof cardLists)[number]

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
  readonly updatedAt: string
}
