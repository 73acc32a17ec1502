import file from '../data/fscs-brands.json' with { type: 'json' }

/**
 * Deposit protection of a real brand. Amounts are whole units of their currency. `limit` is per person under this brand's
 * scheme: null if unlimited (NS&I) or dependent on the partner bank (platforms), 0 if deposits aren't protected (e-money).
 */
export type FscsBrand = {
  readonly brand: string
  readonly legalName: string
  /** FCA firm reference number; null unless confirmed by a separate source. */
  readonly frn: string | null
  readonly scheme: string
  readonly country: string
  readonly owner: string
  readonly ownerCountry: string
  /** Other brands on the same licence: deposits with any of them count towards one shared limit. */
  readonly sharesLicenceWith: readonly string[]
  readonly licenceGroup: string
  /** False for platforms and e-money firms. */
  readonly isBank: boolean
  readonly limit: number | null
  readonly limitCurrency: string
  /**
   * FSCS limits in GBP, the same on every row: per person, for two joint holders, and for a temporary high balance, with the number of months that it is
   * protected.
   */
  readonly fscsLimit: number
  readonly fscsJointLimit: number
  readonly temporaryHighBalanceLimit: number
  readonly temporaryHighBalanceMonths: number
  /** Null here; the endpoint adds the provider of the caller's dataset. */
  readonly providerSlug: string | null
  /** True if the FSCS protects deposits with this brand itself. If false, the FSCS limits don't apply: `limit` does. */
  readonly fscsProtected: boolean
  /** ISO date of the newest evidence for the list. The list was compiled later, but no row was verified after this date. */
  readonly verifiedOn: string
  /** Confidence in the row: `high` or `medium`. */
  readonly confidence: string
  readonly note: string | null
}

/**
 * FSCS limits in whole pounds: `deposit` per person and authorised firm since `depositFrom`, `joint` for two holders of a joint account,
 * `temporaryHighBalance` for some months after events such as a house sale.
 */
export const fscsLimits = file.limits

const notBanks = new Set(['platform', 'e-money'])

function readBrands(): FscsBrand[] {
  const groups = Map.groupBy(file.brands, ({ licenceGroup }) => licenceGroup)
  return file.brands.map(({ kind, ...row }) => ({
    ...row,
    // Derived from the returned rows, so the relation is symmetric and never includes a brand that the API doesn't return.
    sharesLicenceWith: (groups.get(row.licenceGroup) ?? []).map(({ brand }) => brand).filter((brand) => brand !== row.brand),
    isBank: !notBanks.has(kind),
    fscsLimit: fscsLimits.deposit,
    fscsJointLimit: fscsLimits.joint,
    temporaryHighBalanceLimit: fscsLimits.temporaryHighBalance,
    temporaryHighBalanceMonths: fscsLimits.temporaryHighBalanceMonths,
    providerSlug: null,
    fscsProtected: row.scheme === 'FSCS',
    verifiedOn: file.verifiedOn,
  }))
}

/** Brands with high or medium confidence, which the API returns, in the order of the data file. */
export const fscsBrands: readonly FscsBrand[] = readBrands()

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
 * Maps each firm's legal name to its brand: the only brand with that legal name or, if there are several, the only one whose name is a prefix of it. Ambiguous
 * firms are omitted, because a wrong brand would misstate a customer's protection.
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
 * Maps each brand to the slug of the provider with the same name or, failing that, of the only provider named after the brand's legal entity. A brand is
 * omitted if no provider matches, and maps to null if several do.
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
