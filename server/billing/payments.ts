/** Whose money moves: real money, Stripe's test money, or none at all, on the simulated checkout page. */
export type PaymentMode = 'live' | 'test' | 'simulated'

/** A purchase as it is put to whoever takes the money. */
export type Order = {
  /** Public id of the top-up. It goes with the payment everywhere, and is the key under which Stripe does it once. */
  readonly topUp: string
  readonly account: string
  readonly customer: string
  readonly amountPence: number
  readonly credits: number
}

export type CheckoutOrder = Order & {
  readonly savesCard: boolean
  readonly expiresAt: Date
  /** Where the browser goes then. */
  readonly paidUrl: string
  readonly cancelledUrl: string
}

export type Checkout = { readonly session: string; readonly url: string }

/** What became of a charge of a saved card. Unknown means that nobody knows: ask again, by the same top-up. */
export type Charged =
  | { readonly outcome: 'paid'; readonly intent: string; readonly amountPence: number }
  | { readonly outcome: 'pending'; readonly intent: string }
  | { readonly outcome: 'failed'; readonly intent: string | null; readonly reason: string }
  | { readonly outcome: 'unknown' }

export type SavedCard = { readonly method: string; readonly brand: string; readonly last4: string; readonly expires: string }

export type PaymentLinks = { readonly receiptUrl: string | null; readonly invoiceUrl: string | null; readonly invoicePdfUrl: string | null }

/** A payment as Stripe lists it, for comparing with the books. */
export type ListedPayment = {
  readonly intent: string
  readonly topUp: string | null
  readonly amountPence: number
  readonly isPaid: boolean
  readonly isLive: boolean
  readonly createdAt: Date
}

export type ListedDispute = {
  readonly id: string
  readonly intent: string | null
  readonly amountPence: number
  readonly status: string
  readonly createdAt: Date
}

export type ListedRefund = ListedDispute & {
  /** Whether the money is on its way back to the card or there. */
  readonly isGone: boolean
}

/** What was made since a moment, each by its own time: a refund may be of a payment that is much older. */
export type Lists = {
  readonly payments: AsyncIterable<ListedPayment>
  readonly refunds: AsyncIterable<ListedRefund>
  readonly disputes: AsyncIterable<ListedDispute>
}

/** Whoever takes the money no longer knows a customer, as when somebody deleted it there. */
export class NoCustomerError extends Error {
  override name = 'NoCustomerError'
}

/** Whoever takes the money: Stripe, or the simulation of it. Every call has a time limit, and every call that makes something makes it once. */
export type Payments = {
  readonly mode: PaymentMode
  /** `instead` is the customer that this one replaces, because it is gone; null: the account has never had one. */
  makeCustomer: (account: { readonly publicId: string; readonly email: string; readonly instead: string | null }) => Promise<string>
  /** Tells of a new address. @throws NoCustomerError */
  updateCustomer: (customer: string, email: string) => Promise<void>
  /** @throws NoCustomerError */
  openCheckout: (order: CheckoutOrder) => Promise<Checkout>
  /** Closes the page of a checkout, so that nobody pays on it any more. One that has ended already is left as it is. */
  closeCheckout: (checkout: { readonly topUp: string; readonly session: string }) => Promise<void>
  chargeSavedCard: (order: Order & { readonly method: string }) => Promise<Charged>
  /** The charge of a saved card for this top-up, for when its answer was lost; null: there is none. */
  findCharge: (order: Order & { readonly begunAt: Date }) => Promise<Charged | null>
  /** The card that a payment was made with; null when it cannot be used again. */
  cardOf: (intent: string) => Promise<SavedCard | null>
  linksOf: (payment: { readonly intent: string; readonly session: string | null }) => Promise<PaymentLinks>
  /** Where a customer looks after cards, invoices and billing details; null: there is no such place. @throws NoCustomerError */
  customerPage: (customer: string, returnUrl: string) => Promise<string | null>
  /** Everything since a moment; null: there is nothing to compare with. */
  list: (since: Date) => Lists | null
}
