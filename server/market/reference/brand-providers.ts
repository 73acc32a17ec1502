import { fscsBrands } from './fscs.ts'

type Named = { readonly slug: string; readonly name: string }

/** Normalises a name: case, punctuation, a leading article, `&` and `Ltd`. */
function plainName(name: string): string {
  const words = name
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/[.,'’]/g, '')
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => (word === 'ltd' ? 'limited' : word))
  return (words[0] === 'the' ? words.slice(1) : words).join(' ')
}

/**
 * Maps a firm's legal name to its brand: the only brand on its licence, or the only one there that the firm's name starts with. Ambiguous firms
 * are omitted, because a wrong brand would misstate a customer's protection.
 */
function readFirms(): ReadonlyMap<string, string> {
  const firms = new Map<string, string>()
  for (const [legalName, brands] of Map.groupBy(fscsBrands, (row) => row.legalName)) {
    const firm = plainName(legalName)
    const [one, ...others] = brands.length === 1 ? brands : brands.filter(({ brand }) => `${firm} `.startsWith(`${plainName(brand)} `))
    if (one && others.length === 0) firms.set(firm, one.brand)
  }
  return firms
}

const brandOfFirm = readFirms()
const brandNames: ReadonlySet<string> = new Set(fscsBrands.map(({ brand }) => brand))

/**
 * Maps each brand to a provider slug: the provider with its name, otherwise the only one with the legal name of its firm. Brands without a match
 * are missing or null.
 */
export function slugsByBrand(providers: readonly Named[]): ReadonlyMap<string, string | null> {
  const slugs = new Map<string, string | null>()
  for (const { name, slug } of providers) {
    const brand = brandOfFirm.get(plainName(name))
    if (brand !== undefined) slugs.set(brand, slugs.has(brand) ? null : slug)
  }
  for (const { name, slug } of providers) if (brandNames.has(name)) slugs.set(name, slug)
  return slugs
}
