import { z } from 'zod'
import { accountTypes } from '#server/api/contract/account-types.ts'
import { twoDecimals } from '#server/api/contract/formats.ts'
import { describePrice } from '#server/api/contract/prices.ts'
import { queryPence } from '#server/api/contract/query.ts'
import { maxPence } from '#server/api/endpoints/calculators/fields.ts'
import { simulateBalance } from '#server/api/endpoints/calculators/simulate.endpoint.ts'
import { productFilters } from '#server/api/endpoints/rates/filters.ts'
import { listRates } from '#server/api/endpoints/rates/list-rates.endpoint.ts'
import { listReferenceFscs } from '#server/api/endpoints/reference/list-reference-fscs.endpoint.ts'

const shown = 5
const months = 12

/** A prompt that a tool client offers to its user: what it is called, what it asks for, and the message that it becomes. */
export const compareAccounts = {
  name: 'compare_accounts',
  title: 'Compare accounts for an amount',
  description: 'Compares UK savings accounts for an amount of money and says what each would pay in a year.',
  arguments: [
    { name: 'amount', title: 'Amount', description: 'How much is to be saved, in GBP, such as 20000.', required: true },
    { name: 'type', title: 'Account type', description: `One of ${Object.keys(accountTypes).join(', ')}; all unless given.`, required: false },
  ],
} as const

/** Types are those of the rates. Amounts are those of the simulation, which takes no less than a penny, so that what passes here is answered by both. */
const Comparison = z.object({ amount: queryPence({ min: 1, max: maxPence }), type: productFilters.type })

/** What is compared, or in a sentence why it cannot be. */
export function readComparison(given: Readonly<Record<string, string>>): z.output<typeof Comparison> | string {
  const known: readonly string[] = compareAccounts.arguments.map(({ name }) => name)
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) return `"${unknown.slice(0, 60)}" is no argument of this prompt. Known: ${known.join(', ')}.`
  if (given['amount'] === undefined) return '"amount" is missing.'
  const parsed = Comparison.safeParse(given)
  return parsed.success ? parsed.data : `"${String(parsed.error.issues[0]?.path[0])}" ${parsed.error.issues[0]?.message ?? 'cannot be used'}.`
}

/** Pence as a number of JSON: `500` and `99.50`, however many zeros stood before it. */
const jsonPounds = (pence: number) => (pence % 100 === 0 ? String(pence / 100) : twoDecimals(pence))

/** The message of the prompt. */
export function comparisonText({ amount: pence, type }: z.output<typeof Comparison>): string {
  const amount = jsonPounds(pence)
  const filter = type === undefined ? '' : `, "type": "${type}"`
  return [
    `Compare UK savings accounts for £${amount}.`,
    '',
    `1. Call \`${listRates.tool}\` with {"amount": ${amount}${filter}, "limit": ${shown}}. It lists the best rates first that accept the amount (${describePrice(listRates.price)}, free with a test key).`,
    `2. For the two that fit best call \`${simulateBalance.tool}\` with their sourceKey, {"amount": ${amount}, "months": ${months}}. It gives the interest of ${months} months with bonuses and terms as they are (${describePrice(simulateBalance.price)} each).`,
    `3. If the amount is above the protection limit, call \`${listReferenceFscs.tool}\` once (${describePrice(listReferenceFscs.price)}) and say which brands share a limit.`,
    '4. Show a table: provider, account, rate, how much of it is a bonus and for how long, access, protection, interest after a year. Say what speaks against each.',
    '5. End with what the calls cost (meta.creditsCharged) and with the text of meta.attribution. When meta.sample is true, say that these are sample data of fictional providers.',
  ].join('\n')
}
