import { planNames, plans, starterCredits, testKeyPerMinute } from '#server/api/contract/access.ts'
import { defaultLimit, maximumLimit } from '#server/api/contract/endpoint.ts'
import { creditPence, describePrice } from '#server/api/contract/price-kinds.ts'
import { listRates } from '#server/api/endpoints/rates/list-rates.endpoint.ts'
import { callableByTestKeys, describePence, getReach } from './catalogue.ts'

/** Returns a short explanation of charging, with numbers taken from the configuration. */
export function chargingRules(): { title: string; text: string }[] {
  return [
    { title: 'One credit', text: `${describePence(creditPence)}. £1 is ${100 / creditPence} credits. Credits do not expire.` },
    { title: 'Starter credits', text: `${starterCredits} credits, once per account.` },
    { title: 'Per row', text: `Lists are charged per row returned: ${defaultLimit} rows by default, up to ${maximumLimit} with \`limit\`.` },
    { title: 'Low balance', text: "A list is cut to the rows you can pay for, and the response says so. You only get a 402 if you can't afford a single row." },
    { title: 'Spending limit per call', text: 'Send `X-SVC-Max-Credits: 5` and the call costs at most 5.' },
    { title: 'Safe retries', text: 'Send an `Idempotency-Key`, and repeating the call within 10 minutes costs 0 credits.' },
    { title: 'Never charged', text: 'Errors, 304s, 429s, and all calls with a test key.' },
  ]
}

/** Titles of the charging rules that the lead of the price page states as figures. */
const rulesInLead: readonly string[] = ['One credit', 'Starter credits', 'Never charged']

/** Returns the charging rules that the lead of the price page leaves out. */
export const otherRules = () => chargingRules().filter(({ title }) => !rulesInLead.includes(title))

const grouped = new Intl.NumberFormat('en-GB')

/** Calls a month in the example of the cost at volume. */
const exampleCalls = 1_000

/** Returns the lead of the price page: the price of a credit, of a row of rates, and of what is free, with the cost of one call and of a month. */
export function priceLead() {
  const [perRow, credits] = [listRates.price.credits, defaultLimit * listRates.price.credits]
  const monthly = exampleCalls * credits
  return {
    figures: [
      { value: describePence(creditPence), name: 'per credit', note: `£1 is ${100 / creditPence} credits. Credits never expire.` },
      { value: countCredits(perRow), name: 'per row of rates', note: `Lists return ${defaultLimit} rows by default.` },
      { value: countCredits(0), name: 'for errors and test calls', note: '304s and 429s are free, too.' },
    ],
    example: `${defaultLimit} rates cost ${countCredits(credits)}, ${describePence(credits * creditPence)}. You start with ${countCredits(starterCredits)} free.`,
    volume: `${grouped.format(exampleCalls)} calls of ${defaultLimit} rates a month: ${grouped.format(monthly)}\u00a0credits, £${grouped.format((monthly * creditPence) / 100)}.`,
  }
}

/** Returns a number of credits. The space doesn't break. */
const countCredits = (count: number): string => `${count}\u00a0${count === 1 ? 'credit' : 'credits'}`

/** Returns the price in one line. */
export function priceSentence(): string {
  return `1 credit is ${describePence(creditPence)}. A row of rates costs ${describePrice(listRates.price).replace(/ per row$/, '')}. Credits never expire.`
}

/** Returns the sentences that explain the endpoint counts in the limits table. */
export function reachLabels(): string {
  const [all, live] = [callableByTestKeys(), getReach('enterprise').of]
  return `${live} of the ${all} endpoints accept live keys, some on Enterprise only. The other ${all - live} are test-only for now.`
}

/** Returns the rows of the limits table: the plans, and test keys on any plan. */
export function limitLines() {
  const test = { name: 'Test keys, any plan', perMinute: testKeyPerMinute, perDay: null, reach: `All ${callableByTestKeys()}, with sample data` }
  const live = planNames.map((name) => {
    const { label, perMinute, perDay } = plans[name]
    const { callable, of } = getReach(name)
    return { name: label, perMinute, perDay, reach: `${callable} of ${of} endpoints` }
  })
  return [...live, test]
}
