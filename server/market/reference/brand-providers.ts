import { fscsBrands } from './fscs.ts'

type Named = { readonly slug: string; readonly name: string }

/** A name without what is written now one way and now another: capitals, stops, an article before it, `&` and `Ltd`. */
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
 * The brand that a firm goes by, by its legal name: the only one on its licence, or the only one there with whose name that of the firm begins. A firm whose
 * brands leave a choice has none here, because the wrong one would say of somebody's money that it is protected elsewhere.
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

/** The slug of each brand's provider: the one that has its name, else the only one that has the legal name of its firm. A brand without either is missing or null. */
export function slugsByBrand(providers: readonly Named[]): ReadonlyMap<string, string | null> {
  const slugs = new Map<string, string | null>()
  for (const { name, slug } of providers) {
    const brand = brandOfFirm.get(plainName(name))
    if (brand !== undefined) slugs.set(brand, slugs.has(brand) ? null : slug)
  }
  for (const { name, slug } of providers) if (brandNames.has(name)) slugs.set(name, slug)
  return slugs
}
