import type { Requirement } from './requirement.ts'

/** Credits and top-ups. */
export const billing = {
  'billing/credit-price': { source: 'SPEC Limits', behaviour: '1 GBP buys 10 credits.' },
  'billing/minimum-top-up': { source: 'SPEC Limits', behaviour: 'The smallest top-up is 5 GBP, 50 credits.' },
  'billing/presets': { source: 'SPEC Limits', behaviour: 'The top-up presets are 5, 20, 50 and 100 GBP.' },
  'billing/no-expiry': { source: 'SPEC Limits', behaviour: 'Credits do not expire.' },
  'billing/top-up-needs-verified-email': {
    source: 'SPEC Authentication',
    behaviour: 'Topping up without a verified email address returns 403 email_not_verified.',
  },
  'billing/refunds-are-entries': {
    source: 'DECISIONS 27',
    behaviour: 'Refunds and disputes are ledger entries.',
  },
  'billing/details': {
    source: 'PORTAL Pages',
    behaviour: 'An invoice shows the company, address and VAT number entered in the portal, and a receipt shows them as they were when it was paid.',
  },
  'billing/changed-details': {
    source: 'PORTAL Pages',
    behaviour: 'Changing the billing details closes checkouts opened with the previous details, so that no invoice mixes the two.',
  },
  'billing/removed-details': {
    source: 'PORTAL Pages',
    behaviour: 'Removing the billing details or closing the account deletes the details from the Stripe customer.',
  },
  'billing/debt-cannot-spend': {
    source: 'DECISIONS 27',
    behaviour: 'An account in debt after a refund or dispute cannot spend, and the error gives the reason.',
  },
} as const satisfies Record<string, Requirement>
