import { createHash } from 'node:crypto'
import type { BillingSettings } from './billing-deps.ts'
import type { Payments } from './payments.ts'

/** Returns a deterministic id for a simulated Stripe object. */
export const simulatedId = (prefix: 'cs' | 'pi' | 'cus' | 'evt', of: string): string =>
  `${prefix}_simulated_${createHash('sha256').update(`${prefix} ${of}`).digest('hex').slice(0, 24)}`

/** Simulated card that always pays. */
const simulatedCard = { method: 'pm_simulated', brand: 'simulated', last4: '0000', expires: '12/2099' } as const

/** Creates payments without Stripe or money: a page of this service replaces Stripe's and signs events the way Stripe does. Development feature. */
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
    getCard: async () => simulatedCard,
    getLinks: async () => ({ receiptUrl: null, invoiceUrl: null, invoicePdfUrl: null }),
    getCustomerPage: async () => null,
    list: () => null,
  }
}
