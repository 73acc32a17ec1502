import { z } from 'zod'
import { isCountry } from './countries.ts'

/** Name, address and VAT number that the receipts and invoices of an account show. Optional fields are empty if unknown. */
export const BillingDetails = z.object({
  /** Company, or the person who pays. */
  name: z.string(),
  line1: z.string(),
  line2: z.string(),
  city: z.string(),
  postcode: z.string(),
  /** ISO 3166-1 alpha-2 code. */
  country: z.string(),
  vatNumber: z.string(),
})
export type BillingDetails = z.infer<typeof BillingDetails>

const maxLength = 200
const maxPostcode = 20

/** United Kingdom: 9 or 12 digits, or GD or HA and 3 digits. Other countries: their code, then 2 to 14 letters and digits. */
const vatForm = /^(?!GB)[A-Z]{2}[0-9A-Z]{2,14}$|^GB(?:\d{9}|\d{12}|(?:GD|HA)\d{3})$/

const clean = (text: string): string => text.trim().replace(/\s+/g, ' ')

/** Removes extra spaces, and the spaces, dots and dashes of a VAT number. */
export function toBillingDetails(typed: BillingDetails): BillingDetails {
  const { name, line1, line2, city, postcode, country, vatNumber } = typed
  return {
    name: clean(name),
    line1: clean(line1),
    line2: clean(line2),
    city: clean(city),
    postcode: clean(postcode).toUpperCase(),
    country,
    vatNumber: vatNumber.replace(/[\s.-]/g, '').toUpperCase(),
  }
}

/** Returns true if nothing is filled in, apart from the country, which always has a value. */
export const isEmpty = ({ country: _country, ...typed }: BillingDetails): boolean => Object.values(typed).every((value) => value === '')

/** Returns true if two purchases would get invoices with the same details. */
export const isSameDetails = (one: BillingDetails | null, other: BillingDetails | null): boolean =>
  one === null || other === null ? one === other : Object.entries(one).every(([field, value]) => other[field as keyof BillingDetails] === value)

const needed = (value: string, what: string, max = maxLength): string | null => (value === '' ? `Enter ${what}.` : short(value, max))
const short = (value: string, max = maxLength): string | null => (value.length <= max ? null : `Use at most ${max} characters.`)

/** Returns what is wrong with billing details, by field; null for fields that are correct. */
export const billingFaults = ({ name, line1, line2, city, postcode, country, vatNumber }: BillingDetails) => ({
  name: needed(name, 'the name of your company, or your own'),
  line1: needed(line1, 'the first line of the address'),
  line2: short(line2),
  city: needed(city, 'the town or city'),
  postcode: short(postcode, maxPostcode),
  country: isCountry(country) ? null : 'Choose a country from the list.',
  vatNumber: vatNumber === '' || vatForm.test(vatNumber) ? null : 'Enter the VAT number with its country code, such as GB123456789.',
})
