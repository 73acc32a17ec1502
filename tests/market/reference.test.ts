import { expect, test } from 'vitest'
import { currencies } from '#server/market/reference/currencies.ts'
import { fscsBrands } from '#server/market/reference/fscs.ts'

const brand = (name: string) => fscsBrands.find((row) => row.brand === name)

test('lists 152 currencies with code, name and region', () => {
  expect(currencies).toHaveLength(152)
  expect(new Set(currencies.map(({ code }) => code)).size).toBe(152)
  expect(currencies.find(({ code }) => code === 'THB')).toEqual({ code: 'THB', name: 'Thai Baht', region: 'Asia' })
  // Bulgaria joined the euro on 1 January 2026.
  expect(currencies.find(({ code }) => code === 'BGN')).toBeUndefined()
})

test('lists 185 unique brands of high or medium confidence', () => {
  expect(fscsBrands).toHaveLength(185)
  expect(new Set(fscsBrands.map((row) => row.brand)).size).toBe(185)
  expect([...new Set(fscsBrands.map(({ confidence }) => confidence))].sort()).toEqual(['high', 'medium'])
  expect(brand('Saga Savings')).toBeUndefined()
})

test('links exactly the brands that share a licence', () => {
  for (const row of fscsBrands) {
    for (const other of row.sharesLicenceWith) expect(brand(other)?.sharesLicenceWith).toContain(row.brand)
    const group = fscsBrands.filter(({ licenceGroup }) => licenceGroup === row.licenceGroup).map((member) => member.brand)
    expect([row.brand, ...row.sharesLicenceWith].sort()).toEqual(group.sort())
  }
  expect(brand('Virgin Money')?.sharesLicenceWith).toEqual(['Nationwide'])
  expect(brand('TSB')?.sharesLicenceWith).toEqual([])
  expect(brand('NatWest')?.sharesLicenceWith).toEqual(['Ulster Bank', "Sainsbury's Bank", 'Mettle'])
})

test('uses the limits in force since 1 December 2025', () => {
  const limits = { fscsLimit: 120_000, fscsJointLimit: 240_000, temporaryHighBalanceLimit: 1_400_000, temporaryHighBalanceMonths: 6 }
  for (const row of fscsBrands) expect(row).toMatchObject({ ...limits, verifiedOn: '2026-10-01', providerSlug: null })
  for (const row of fscsBrands.filter(({ scheme }) => scheme === 'FSCS')) expect(row).toMatchObject({ limit: 120_000, limitCurrency: 'GBP' })
  expect(brand('NS&I')).toMatchObject({ limit: null, isBank: true, scheme: 'HM Treasury guarantee' })
  expect(brand('Wise')).toMatchObject({ limit: 0, isBank: false })
  expect(brand('Raisin UK')).toMatchObject({ limit: null, isBank: false })
  expect(brand('HSBC Expat')).toMatchObject({ limit: 50_000, isBank: true, country: 'Jersey' })
  expect(brand('N26')).toMatchObject({ limit: 100_000, limitCurrency: 'EUR', isBank: true })
})

test('returns a firm reference number only if a source confirmed it', () => {
  expect(brand('Halifax')?.frn).toBe('169628')
  expect(brand('Nationwide')?.frn).toBe('106078')
  expect(brand('Virgin Money')?.frn).toBe('106078')
  expect(brand('Coventry Building Society')?.frn).toBe('150892')
  expect(brand('Wise')?.frn).toBeNull()
})

test('states which brands the FSCS limits apply to', () => {
  for (const { scheme, fscsProtected } of fscsBrands) expect([scheme, fscsProtected]).toEqual([scheme, scheme === 'FSCS'])
  expect(['Wise', 'HSBC Expat', 'N26', 'Raisin UK', 'NS&I', 'Halifax'].map((name) => brand(name)?.fscsProtected)).toEqual([...Array(5).fill(false), true])
})
