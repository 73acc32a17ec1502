import { z } from 'zod'
import { accountTypes } from '#server/api/contract/account-types.ts'
import { twoDecimals } from '#server/api/contract/formats.ts'
import { describePrice } from '#server/api/contract/price-kinds.ts'
import { queryPence } from '#server/api/contract/query.ts'
import { maxPence } from '#server/api/endpoints/calculators/fields.ts'
import { simulateBalance } from '#server/api/endpoints/calculators/simulate.endpoint.ts'
import { listRates } from '#server/api/endpoints/rates/list-rates.endpoint.ts'
import { productFilters } from '#server/api/endpoints/rates/product-filters.ts'
import { listReferenceFscs } from '#server/api/endpoints/reference/list-reference-fscs.endpoint.ts'

const shown = 5
const months = 12

/** MCP prompt that tool clients offer to their users. */
export const compareAccounts = {
  name: 'compare_accounts',
  title: 'Compare accounts for an amount',
  description: 'Compares UK savings accounts for an amount and shows what each would pay in a year.',
  arguments: [
    { name: 'amount', title: 'Amount', description: 'Amount to save in GBP, such as 20000.', required: true },
    { name: 'type', title: 'Account type', description: `One of ${Object.keys(accountTypes).join(', ')}. Defaults to all.`, required: false },
  ],
} as const

/** Arguments of the prompt. The rates list and the simulation accept any value that is valid here; the minimum amount is a penny, as in the simulation. */
const Comparison = z.object({ amount: queryPence({ min: 1, max: maxPence }), type: productFilters.type })

/** Parses the arguments of the prompt; returns a message if they are not valid. */
export function readComparison(given: Readonly<Record<string, string>>): z.output<typeof Comparison> | string {
  const known: readonly string[] = compareAccounts.arguments.map(({ name }) => name)
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) return `Unknown argument "${unknown.slice(0, 60)}". Valid arguments: ${known.join(', ')}.`
  if (given['amount'] === undefined) return '"amount" is missing.'
  const parsed = Comparison.safeParse(given)
  return parsed.success ? parsed.data : `"${String(parsed.error.issues[0]?.path[0])}" ${parsed.error.issues[0]?.message ?? 'is not valid'}.`
}

/** Formats pence as a JSON number of pounds: `500`, `99.50`. */
const jsonPounds = (pence: number) => (pence % 100 === 0 ? String(pence / 100) : twoDecimals(pence))

/** Returns the text of the prompt, which lists the tools to call. */
export function comparisonText({ amount: pence, type }: z.output<typeof Comparison>): string {
  const amount = jsonPounds(pence)
  const filter = type === undefined ? '' : `, "type": "${type}"`
  return [
    `Compare UK savings accounts for £${amount}.`,
    '',
    `1. Call \`${listRates.tool}\` with {"amount": ${amount}${filter}, "limit": ${shown}}. It lists the accounts that accept the amount, best rate first (${describePrice(listRates.price)}, free with a test key).`,
    `2. For the two best matches, call \`${simulateBalance.tool}\` with their sourceKey, {"amount": ${amount}, "months": ${months}}. It returns the interest over ${months} months, including bonuses and terms (${describePrice(simulateBalance.price)} each).`,
    `3. If the amount is above the protection limit, call \`${listReferenceFscs.tool}\` once (${describePrice(listReferenceFscs.price)}) and say which brands share a limit.`,
    '4. Show a table: provider, account, rate, bonus and its duration, access, protection, interest after a year. State the drawbacks of each.',
    '5. End with the cost of the calls (meta.creditsCharged) and the text of meta.attribution. If meta.sample is true, say that this is sample data from fictional providers.',
  ].join('\n')
}
