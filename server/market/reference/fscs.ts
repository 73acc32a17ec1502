import file from '../data/fscs-brands.json' with { type: 'json' }

/**
 * Deposit protection of one real brand. Money stands in whole units of the currency named beside it, as numbers.
 * `limit` is what this brand's scheme covers for each person: null when there is no limit (NS&I) or it depends on the partner bank
 * (platforms), 0 when deposits are not protected (e-money).
 */
export type FscsBrand = {
  readonly brand: string
  readonly legalName: string
  /** FCA firm reference number; null unless it was read in a source of its own. */
  readonly frn: string | null
  readonly scheme: string
  readonly country: string
  readonly owner: string
  readonly ownerCountry: string
  /** The other brands on the same licence: money with any of them counts towards one shared limit. */
  readonly sharesLicenceWith: readonly string[]
  readonly licenceGroup: string
  /** False for platforms and e-money firms. */
  readonly isBank: boolean
  readonly limit: number | null
  readonly limitCurrency: string
  /** FSCS limits in GBP, the same on every row: one person, two holders of a joint account, a temporary high balance and its months. */
  readonly fscsLimit: number
  readonly fscsJointLimit: number
  readonly temporaryHighBalanceLimit: number
  readonly temporaryHighBalanceMonths: number
  /** Null here; the endpoint joins the provider of the caller's dataset. */
  readonly providerSlug: string | null
  /**
   * ISO date. The day of the newest evidence behind the list, not the later day on which the list was put together:
   * nothing was checked after it, and a date of verification must not claim more than was seen.
   */
  readonly verifiedOn: string
  /** How well the row is supported: `high` or `medium`. */
  readonly confidence: string
  readonly note: string | null
}

/**
 * What the FSCS covers, in whole pounds: `deposit` for one person at one authorised firm since `depositFrom`, `joint` for two holders of a
 * joint account, `temporaryHighBalance` for some months after events such as the sale of a home.
 */
export const fscsLimits = file.limits

const notBanks = new Set(['platform', 'e-money'])

function brandsByLicence(): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const { brand, licenceGroup } of file.brands) {
    const group = groups.get(licenceGroup)
    if (group) group.push(brand)
    else groups.set(licenceGroup, [brand])
  }
  return groups
}

function readBrands(): FscsBrand[] {
  const groups = brandsByLicence()
  return file.brands.map(({ kind, ...row }) => ({
    ...row,
    // Derived from the served rows alone, so it is symmetric and never names a brand that is not served.
    sharesLicenceWith: (groups.get(row.licenceGroup) ?? []).filter((brand) => brand !== row.brand),
    isBank: !notBanks.has(kind),
    fscsLimit: fscsLimits.deposit,
    fscsJointLimit: fscsLimits.joint,
    temporaryHighBalanceLimit: fscsLimits.temporaryHighBalance,
    temporaryHighBalanceMonths: fscsLimits.temporaryHighBalanceMonths,
    providerSlug: null,
    verifiedOn: file.verifiedOn,
  }))
}

/** Every brand that is served: rows of high and medium confidence, grouped by licence as in the data file. */
export const fscsBrands: readonly FscsBrand[] = readBrands()
