import { createHash } from 'node:crypto'
import { clock } from '#server/clock.ts'
import type { TopUp as TopUpRow } from '#server/db/generated/client.ts'
import { type BillingDeps, BillingError, type BillingSettings, getWebhookSecret, type Payments } from './billing-deps.ts'
import { loadStripe } from './stripe-sdk.ts'
import { getReturnUrl, type TopUp, toTopUp } from './top-ups.ts'

/** Returns a deterministic id for a simulated Stripe object. */
const simulatedId = (prefix: 'cs' | 'pi' | 'cus' | 'evt', of: string): string =>
  `${prefix}_simulated_${createHash('sha256').update(`${prefix} ${of}`).digest('hex').slice(0, 24)}`

/** Simulated card that is never declined. */
const simulatedCard = { method: 'pm_simulated', brand: 'simulated', last4: '0000', expires: '12/2099' } as const

/** Creates payments without Stripe or real money: this service shows its own checkout page and signs events the way Stripe does. Development feature. */
export function simulatedPayments({ publicUrl, developmentFeatures }: BillingSettings): Payments {
  if (!developmentFeatures) throw new Error('Simulated payments are a development feature.')
  return {
    mode: 'simulated',
    makeCustomer: async ({ publicId }) => simulatedId('cus', publicId),
    setEmail: async () => undefined,
    setDetails: async () => undefined,
    removeDetails: async () => undefined,
    removeCards: async () => undefined,
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

/** Choice that the customer makes on the simulated checkout page. */
export type SimulatedChoice = 'pay' | 'decline' | 'leave'

const postTimeoutMs = 10_000

/** Finds a top-up of any account: like Stripe's page, the simulated one is accessible to anyone who has its URL. */
async function findSimulated({ pool: db, payments }: BillingDeps, publicId: string): Promise<TopUpRow | null> {
  if (payments?.mode !== 'simulated') return null
  return db.topUp.findFirst({ where: { publicId, mode: 'simulated', origin: 'checkout' } })
}

/** Data of the simulated checkout page. The page redirects to `returnUrl` if the top-up is no longer open. */
export type SimulatedPage = { readonly topUp: TopUp; readonly returnUrl: string }

/** Returns the data of the simulated checkout page; null if there is no such page, which is always the case in production. */
export async function getSimulatedCheckout(deps: BillingDeps, id: string): Promise<SimulatedPage | null> {
  const row = await findSimulated(deps, id)
  return row && { topUp: toTopUp(row), returnUrl: getReturnUrl(deps.settings.publicUrl, row.publicId) }
}

/** Builds the type and the object of a Stripe event, with only the fields that the event handlers read. */
function buildObject(row: TopUpRow, choice: 'pay' | 'decline'): { type: string; object: object } {
  const intent = simulatedId('pi', row.publicId)
  const metadata = { top_up: row.publicId }
  if (choice === 'decline') {
    const error = { message: 'The card was declined.' }
    return { type: 'payment_intent.payment_failed', object: { id: intent, object: 'payment_intent', metadata, last_payment_error: error } }
  }
  const money = { amount_total: row.amountPence, currency: 'gbp', payment_status: 'paid', payment_intent: intent }
  const session = { id: row.checkoutSessionId, object: 'checkout.session', client_reference_id: row.publicId, metadata, ...money }
  return { type: 'checkout.session.completed', object: session }
}

/** Signs an event the way Stripe does and posts it to this service's webhook endpoint, which processes it like a real one. */
async function post(deps: BillingDeps, row: TopUpRow, choice: 'pay' | 'decline'): Promise<void> {
  const secret = getWebhookSecret(deps.settings)
  if (secret === null) throw new BillingError('Payments are not set up on this service.')
  const { type, object } = buildObject(row, choice)
  const created = Math.floor(clock.now() / 1_000)
  // The event id is derived from the choice and the top-up, so a double click sends the same event twice.
  const id = simulatedId('evt', `${choice} ${row.publicId}`)
  const payload = JSON.stringify({ id, object: 'event', type, created, livemode: false, data: { object } })
  const { webhooks } = await loadStripe()
  const response = await fetch(`${deps.address.origin ?? deps.settings.publicUrl}/api/stripe/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': webhooks.generateTestHeaderString({ payload, secret, timestamp: created }) },
    body: payload,
    signal: AbortSignal.timeout(postTimeoutMs),
  })
  if (!response.ok) throw new BillingError(`The webhook endpoint returned ${response.status}.`)
}

/** Applies a choice on the simulated checkout page. Returns the URL to redirect to; null if there is no such page. */
export async function chooseSimulated(deps: BillingDeps, id: string, choice: SimulatedChoice): Promise<string | null> {
  const row = await findSimulated(deps, id)
  if (!row) return null
  const back = getReturnUrl(deps.settings.publicUrl, row.publicId)
  if (choice === 'leave') return `${back}&cancelled=1`
  await post(deps, row, choice)
  return choice === 'pay' ? back : `${deps.settings.publicUrl}/simulated-checkout/${row.publicId}?declined=1`
}
