import { defaultLimit, maximumLimit } from '#server/api/contract/endpoint.ts'
import { starterCredits } from '#server/api/contract/plans.ts'
import { creditPence } from '#server/api/contract/prices.ts'
import { describePence } from './catalogue.ts'

/** How charging works, in a few sentences, with the numbers that the service itself uses. */
export function chargingRules(): { title: string; text: string }[] {
  return [
    { title: 'One credit', text: `${describePence(creditPence)}. £1 is ${100 / creditPence} credits. Credits do not expire.` },
    { title: 'To start', text: `${starterCredits} credits, once for each account.` },
    { title: 'Per row', text: `A list is charged for the rows it returns: ${defaultLimit} unless you set \`limit\`, ${maximumLimit} at most.` },
    { title: 'Low balance', text: 'A list is cut to the rows you can pay for and says so. 402 comes only when not even one row is covered.' },
    { title: 'Your own ceiling', text: 'Send `X-SVC-Max-Credits: 5` and the call costs at most 5.' },
    { title: 'Safe retries', text: 'Send an `Idempotency-Key` and the same call within 10 minutes answers again at 0 credits.' },
    { title: 'Never charged', text: 'Errors, 304s, 429s, and everything that a test key does.' },
  ]
}
