import type { BillingDetails } from '#server/api/contract/billing-details.ts'

export const acme: BillingDetails = {
  name: 'Acme Ltd',
  line1: '1 High Street',
  line2: '',
  city: 'Leeds',
  postcode: 'LS1 4AP',
  country: 'GB',
  vatNumber: 'GB123456789',
}
/** Empty billing details. Saving them removes the account's details. */
export const none: BillingDetails = { name: '', line1: '', line2: '', city: '', postcode: '', country: 'GB', vatNumber: '' }
