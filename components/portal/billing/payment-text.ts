import { unknownCharge } from '#server/api/contract/billing-notices.ts'

/** Shown while a payment is neither confirmed nor rejected. */
export const confirmingText = "We're still waiting for your payment to be confirmed. Don't pay again: we'll email you once it is."

/** Explains why a payment failed. States that the card was not charged, unless that is unknown. */
export const failedText = (failure: string | null): string =>
  failure === unknownCharge ? failure : `You were not charged.${failure === null ? '' : ` ${failure}`}`
