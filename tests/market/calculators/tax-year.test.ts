import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daysLeft, knownTaxYear, lastDay, resetDay, taxYears, toTaxYear } from '#server/market/calculators/tax-year.ts'
import { londonDay as londonDate } from '#server/market/sources/calendar.ts'

const dateAt = (moment: string) => londonDate(Date.parse(moment))

test('changes the tax year at midnight in London, an hour before UTC', () => {
  expect(dateAt('2027-04-05T22:59:59.999Z')).toBe('2027-04-05')
  expect(dateAt('2027-04-05T23:00:00.000Z')).toBe('2027-04-06')
  expect(dateAt('2027-04-05T23:30:00.000Z')).toBe('2027-04-06')
  expect(toTaxYear(dateAt('2027-04-05T22:59:59.999Z'))).toBe('2026-27')
  expect(toTaxYear(dateAt('2027-04-05T23:30:00.000Z'))).toBe('2027-28')
})

test('changes the date at midnight UTC in winter, and an hour earlier in summer', () => {
  expect(dateAt('2026-12-31T23:59:59Z')).toBe('2026-12-31')
  expect(dateAt('2027-01-01T00:00:00Z')).toBe('2027-01-01')
  expect(dateAt('2027-06-30T23:00:00Z')).toBe('2027-07-01')
})

test('handles the clock changes of 28 March 2027 and 25 October 2026', () => {
  // When clocks go forward, the midnight before the change is in GMT and the midnight after it in BST.
  expect(dateAt('2027-03-27T23:59:59Z')).toBe('2027-03-27')
  expect(dateAt('2027-03-28T00:00:00Z')).toBe('2027-03-28')
  expect(dateAt('2027-03-28T22:59:59Z')).toBe('2027-03-28')
  expect(dateAt('2027-03-28T23:00:00Z')).toBe('2027-03-29')
  // When clocks go back, the day has 25 hours: from 23:00 UTC on the previous day to midnight UTC.
  expect(dateAt('2026-10-24T22:59:59Z')).toBe('2026-10-24')
  expect(dateAt('2026-10-24T23:00:00Z')).toBe('2026-10-25')
  expect(dateAt('2026-10-25T23:59:59Z')).toBe('2026-10-25')
  expect(dateAt('2026-10-26T00:00:00Z')).toBe('2026-10-26')
})

test('counts a day of 23 or 25 hours as one day', () => {
  expect(['2027-03-27', '2027-03-28', '2027-03-29'].map((date) => daysLeft('2026-27', date))).toEqual([9, 8, 7])
  expect(['2026-10-24', '2026-10-25', '2026-10-26'].map((date) => daysLeft('2026-27', date))).toEqual([163, 162, 161])
})

test('counts the days left until 5 April, including leap days', () => {
  expect(daysLeft('2026-27', '2026-11-21')).toBe(135)
  expect(daysLeft('2026-27', '2027-04-04')).toBe(1)
  expect(daysLeft('2026-27', '2027-04-05')).toBe(0)
  expect(daysLeft('2026-27', '2027-04-06')).toBe(0)
  expect(daysLeft('2026-27', '2026-04-06')).toBe(364)
  expect(daysLeft('2027-28', '2027-04-06')).toBe(365)
  expect(daysLeft('2027-28', '2026-11-21')).toBe(501)
})

test('starts every tax year the day after the previous one ends', () => {
  for (const taxYear of taxYears) {
    expect(toTaxYear(lastDay(taxYear))).toBe(taxYear)
    expect(toTaxYear(resetDay(taxYear))).not.toBe(taxYear)
    expect(Date.parse(resetDay(taxYear)) - Date.parse(lastDay(taxYear))).toBe(86_400_000)
  }
  expect(toTaxYear('2023-04-05')).toBe('2022-23')
  expect(knownTaxYear('2022-23')).toBeUndefined()
  expect(toTaxYear('2099-12-31')).toBe('2099-00')
  expect(knownTaxYear('2028-29')).toBeUndefined()
})

test('the London date equals the UTC date or is one day later', () => {
  const anyMoment = fc.integer({ min: Date.parse('2023-04-06T00:00:00Z'), max: Date.parse('2028-04-05T00:00:00Z') })
  fc.assert(
    fc.property(anyMoment, (moment) => {
      const [utc, anHourLater] = [0, 3_600_000].map((ahead) => new Date(moment + ahead).toISOString().slice(0, 10))
      expect([utc, anHourLater]).toContain(londonDate(moment))
    }),
  )
})
