import { expect, test } from 'vitest'
import { slugsByBrand } from '../../server/market/reference/brand-providers.ts'
import { cites } from '../requirements/verifies.ts'

cites('reference/fscs-provider-slug')

/** The brands that get a provider when these are listed; a slug is the place of its name. */
function brandsOf(...names: string[]): Record<string, string | null> {
  return Object.fromEntries(slugsByBrand(names.map((name, at) => ({ name, slug: String(at) }))))
}

test('a provider with the name of a brand is the provider of that brand and of no other', () => {
  expect(brandsOf('Halifax', 'Tesco Bank', 'Somewhere Savings')).toEqual({ Halifax: '0', 'Tesco Bank': '1' })
})

test('a provider with the legal name of a firm is that of the brand whose name it begins with, or of the only brand', () => {
  expect(brandsOf('Nationwide Building Society')).toEqual({ Nationwide: '0' })
  expect(brandsOf('NOTTINGHAM BUILDING SOCIETY', 'Co-operative Bank plc')).toEqual({ 'The Nottingham': '0', 'The Co-operative Bank': '1' })
  expect(brandsOf('Cambridge and Counties Bank Ltd', 'Vida Bank Limited')).toEqual({ 'Cambridge & Counties Bank': '0', 'Vida Savings': '1' })
  expect(brandsOf('Revolut Ltd')).toEqual({ 'Revolut (e-money account)': '0' })
})

test('where there is a choice nobody chooses', () => {
  // None of four brands has a name with which that of the firm begins; and half a name is none.
  expect(brandsOf('National Westminster Bank Plc', 'Bank of Ireland (UK) plc', 'Revolut', 'Nationwide Building', 'Virgin')).toEqual({})
  expect(brandsOf('Starling Bank Limited', 'Starling Bank Ltd')).toEqual({ 'Starling Bank': null })
  expect(brandsOf('Starling Bank Limited', 'Starling Bank', 'Starling Bank Ltd')).toEqual({ 'Starling Bank': '1' })
})
