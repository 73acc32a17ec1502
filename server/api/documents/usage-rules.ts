import { planNames, plans, shortApprovalNote, starterCredits, testKeyPerMinute } from '#server/api/contract/access.ts'
import { defaultLimit, maximumLimit } from '#server/api/contract/endpoint.ts'
import { creditPence, describePrice } from '#server/api/contract/price-kinds.ts'
import { listHistory } from '#server/api/endpoints/history/list-history.endpoint.ts'
import { listRates } from '#server/api/endpoints/rates/list-rates.endpoint.ts'
import { callableByTestKeys, describePence, getReach, pathsOutside } from './catalogue.ts'

/** Returns a short explanation of charging, with numbers taken from the configuration. */
export function chargingRules(): { title: string; text: string }[] {
  return [
    { title: 'One credit', text: `${describePence(creditPence)}. £1 is ${100 / creditPence} credits. Credits do not expire.` },
    { title: 'Starter credits', text: `${starterCredits} credits, once per account.` },
    {
      title: 'Per row',
      text: `Lists priced per row charge for each row returned: ${defaultLimit} rows by default, up to ${maximumLimit} with \`limit\`. Filters, search and sorting cost nothing extra.`,
    },
    {
      title: 'Low balance',
      text: "A list is shortened to the rows you can pay for, and the response says so. You only get a 402 if you can't afford a single row.",
    },
    { title: 'Spending limit per call', text: 'Send `X-SVC-Max-Credits: 5` to pay at most 5 credits for a call.' },
    { title: 'Safe retries', text: 'Send an `Idempotency-Key`. Repeating the call with the same key within 10 minutes costs 0 credits.' },
    { title: 'Never charged', text: 'Errors (including 429s), 304s, and all calls with a test key.' },
  ]
}

/** Titles of the charging rules that the introduction of the price page states as figures. */
const rulesInLead: readonly string[] = ['One credit', 'Starter credits', 'Never charged']

/** Returns the charging rules that the introduction of the price page leaves out. */
export const otherRules = () => chargingRules().filter(({ title }) => !rulesInLead.includes(title))

/** Fee of the plan that every new account has. */
const startingTerms = 'No monthly fee'

/** Default number of calls a month in the cost estimate. */
const exampleCalls = 100

/** Returns the introduction of the price page: key prices, an example, and the inputs of the cost estimate. */
export function priceLead() {
  const perRow = listRates.price.credits
  return {
    figures: [
      { value: describePence(creditPence), name: 'per credit', note: `£1 is ${100 / creditPence} credits. Credits never expire.` },
      { value: countCredits(perRow), name: 'per row of rates', note: `Lists return ${defaultLimit} rows by default.` },
      { value: countCredits(0), name: 'for errors and test calls', note: '304 responses are free too.' },
    ],
    example: `One row of rates costs ${describePence(perRow * creditPence)}. ${startingTerms} on ${plans[planNames[0]].label}. You start with ${starterCredits} free\u00a0credits.`,
    estimate: {
      creditsPerRow: perRow,
      creditPence,
      calls: exampleCalls,
      rows: defaultLimit,
      maxRows: maximumLimit,
      plans: planNames.map((name) => ({ name: plans[name].label, perDay: plans[name].perDay })),
    },
  }
}

/** Formats a number of credits, with a non-breaking space. */
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

/** Returns the plans with their limits, in ascending order. Every new account has the first one. */
export function planLines() {
  return planNames.map((name, index) => {
    const { label, perMinute, perDay } = plans[name]
    const { callable, of } = getReach(name)
    return { name: label, perMinute, perDay, reach: `${callable} of ${of} endpoints`, isFirst: index === 0 }
  })
}

/** Returns the fee, the limits and the excluded endpoints of each plan, for the price page. */
export function planOffers() {
  return planLines().map((line, index) => ({
    ...line,
    terms: line.isFirst ? startingTerms : 'Available on request',
    history: pathsOutside(planNames[index] ?? planNames[0]).includes(listHistory.path) ? 'No rate history' : 'Rate history included',
  }))
}

/** Returns the price of a credit, which every plan shares, as a sentence. */
export const planPrice = (): string => `A credit costs ${describePence(creditPence)} on every plan.`

/** Returns the sentences that say which keys the plan limits apply to, and what the limits of test keys are. */
export const keyLimits = (): string =>
  `${shortApprovalNote} Test keys on every plan: ${testKeyPerMinute} calls a minute, no daily limit, all ${callableByTestKeys()} endpoints with sample data.`

/** Returns the rows of the limits table: the plans, and test keys on any plan. */
export function limitLines() {
  const test = { name: 'Test keys, any plan', perMinute: testKeyPerMinute, perDay: null, reach: `All ${callableByTestKeys()}, with sample data` }
  return [...planLines().map(({ isFirst: _isFirst, ...line }) => line), test]
}
