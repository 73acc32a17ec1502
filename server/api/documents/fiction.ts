/** True for domains under .example, which are reserved (RFC 2606), so a firm with such a URL does not exist. */
export function isFictionalAddress(url: string): boolean {
  return new URL(url).hostname.endsWith('.example')
}

/** Datasets that pages show. Live comes first: it wins if a key or slug is in both. */
export const shownDatasets = ['live', 'sample'] as const

export type ShownDataset = (typeof shownDatasets)[number]

/** Notices at the top of pages with fictional data. */
export const notices = {
  live: { product: 'Demonstration product. This bank does not exist.', provider: 'Demonstration provider. This bank does not exist.' },
  sample: { product: 'Sample product. This bank does not exist.', provider: 'Sample provider. This bank does not exist.' },
} as const satisfies Record<ShownDataset, Record<'product' | 'provider', string>>
