import { createHash } from 'node:crypto'
import type { BillingSettings } from './billing-room.ts'
import type { Payments } from './payments.ts'

/** An id that stands for a thing of Stripe's: the same thing always has the same. */
export const simulatedId = (prefix: 'cs' | 'pi' | 'cus' | 'evt', of: string): string =>
  `${prefix}_simulated_${createHash('sha256').update(`${prefix} ${of}`).digest('hex').slice(0, 24)}`

/** A card that always pays. */
const simulatedCard = { method: 'pm_simulated', brand: 'simulated', last4: '0000', expires: '12/2099' } as const

/** Payments without Stripe and without money: a page of our own takes the place of Stripe's, and signs events as Stripe would. A development feature. */
export function simulatedPayments({ publicUrl, developmentFeatures }: BillingSettings): Payments {
  if (!developmentFeatures) throw new Error('Simulated payments are a development feature.')
  return {
    mode: 'simulated',
    makeCustomer: async ({ publicId }) => simulatedId('cus', publicId),
    updateCustomer: async () => undefined,
    openCheckout: async ({ topUp }) => ({ session: simulatedId('cs', topUp), url: `${publicUrl}/simulated-checkout/${topUp}` }),
    closeCheckout: async () => undefined,
    chargeSavedCard: async ({ topUp, amountPence }) => ({ outcome: 'paid', intent: simulatedId('pi', topUp), amountPence }),
    findCharge: async () => null,
    cardOf: async () => simulatedCard,
    linksOf: async () => ({ receiptUrl: null, invoiceUrl: null, invoicePdfUrl: null }),
    customerPage: async () => null,
    list: () => null,
  }
}
