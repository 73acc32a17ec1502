/** Sections of the site, in the order of the header. */
export const siteParts = [
  { id: 'docs', href: '/docs', name: 'Docs' },
  { id: 'reference', href: '/reference', name: 'API reference' },
  { id: 'prices', href: '/docs/prices', name: 'Prices' },
  { id: 'changelog', href: '/changelog', name: 'Changelog' },
  { id: 'status', href: '/status', name: 'Status' },
] as const

export type SitePart = (typeof siteParts)[number]['id']
