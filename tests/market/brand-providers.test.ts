import { expect, test } from 'vitest'
import { slugsByBrand } from '#server/market/reference/fscs.ts'
import { cites } from '../requirements/verifies.ts'

cites('reference/fscs-provider-slug')

/** Returns the slug that each brand is matched to, given these provider names. A provider's slug is the index of its name. */
function getBrands(...names: string[]): Record<string, string | null> {
  return Object.fromEntries(slugsByBrand(names.map((name, at) => ({ name, slug: String(at) }))))
}

test('matches a provider named exactly like a brand to that brand only', () => {
  expect(getBrands('Halifax', 'Tesco Bank', 'Somewhere Savings')).toEqual({ Halifax: '0', 'Tesco Bank': '1' })
})

test("matches a firm's legal name to the brand that the name starts with, or to the firm's only brand", () => {
  expect(getBrands('Nationwide Building Society')).toEqual({ Nationwide: '0' })
  expect(getBrands('NOTTINGHAM BUILDING SOCIETY', 'Co-operative Bank plc')).toEqual({ 'The Nottingham': '0', 'The Co-operative Bank': '1' })
  expect(getBrands('Cambridge and Counties Bank Ltd', 'Vida Bank Limited')).toEqual({ 'Cambridge & Counties Bank': '0', 'Vida Savings': '1' })
  expect(getBrands('Revolut Ltd')).toEqual({ 'Revolut (e-money account)': '0' })
})

test('matches no brand if the provider name is ambiguous', () => {
  // The firm's legal name starts with none of its four brand names, and partial names don't match.
  expect(getBrands('National Westminster Bank Plc', 'Bank of Ireland (UK) plc', 'Revolut', 'Nationwide Building', 'Virgin')).toEqual({})
  expect(getBrands('Starling Bank Limited', 'Starling Bank Ltd')).toEqual({ 'Starling Bank': null })
  expect(getBrands('Starling Bank Limited', 'Starling Bank', 'Starling Bank Ltd')).toEqual({ 'Starling Bank': '1' })
})
