/** Names below .example belong to nobody and never will (RFC 2606), so a firm with such an address does not exist. */
export function isFictionalAddress(url: string): boolean {
  return new URL(url).hostname.endsWith('.example')
}

/** The markets that pages show, that of live keys first: a key or slug of both is the live one's. */
export const shownDatasets = ['live', 'sample'] as const

export type ShownDataset = (typeof shownDatasets)[number]

/** What a page says first of what is made up. */
export const notices = {
  live: { product: 'Demonstration product. This bank does not exist.', provider: 'Demonstration provider. This bank does not exist.' },
  sample: { product: 'Sample product. This bank does not exist.', provider: 'Sample provider. This bank does not exist.' },
} as const satisfies Record<ShownDataset, Record<'product' | 'provider', string>>
