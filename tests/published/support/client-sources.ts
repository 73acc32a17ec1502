/** Developer code that uses the generated clients. Comments mark the lines that must not compile. */

/** Code for openapi-typescript (types) and openapi-fetch (calls). */
export const withOpenApiFetch = `
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.ts'

type Product = components['schemas']['SavingsProduct']

export async function use(baseUrl: string, key: string) {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } })
  const page = await client.GET('/rates', { params: { query: { type: 'easy-access', limit: 2 } } })
  if (page.error) throw new Error(page.error.message)
  // Without \`fields\`, rows are complete.
  const [best] = page.data.data as Product[]
  if (!best) throw new Error('The list is empty.')
  const next: string | null = page.data.meta.nextCursor
  const one = await client.GET('/rates/{sourceKey}', { params: { path: { sourceKey: best.sourceKey }, header: { 'X-SVC-Max-Credits': 1 } } })
  const offers = await client.GET('/market/inflation')
  // @ts-expect-error: no such account type
  const typo = await client.GET('/rates', { params: { query: { type: 'easy-acces' } } })
  // @ts-expect-error: no such endpoint
  await client.GET('/rate')
  if (!typo.error) throw new Error('A typo was accepted.')
  // @ts-expect-error: only rate_limited has retryAfter
  typo.error.retryAfter
  const poor: components['responses']['PaymentRequired']['content']['application/json']['required'] = 1
  return { rows: page.data.data.length, next, same: one.data?.data.accountName === best.accountName, months: offers.data !== undefined, refused: typo.error.error, poor }
}
`

/** Code for @hey-api/openapi-ts, which generates a function per operation. */
export const withHeyApi = `
import { createClient } from './hey/client/index.ts'
import { ratesGet, ratesList, simulate } from './hey/sdk.gen.ts'
import type { SavingsProduct } from './hey/types.gen.ts'

export async function use(baseUrl: string, key: string) {
  const client = createClient({ baseUrl, auth: () => key })
  const page = await ratesList({ client, query: { type: 'easy-access', limit: 2 } })
  if (!page.data) throw new Error('No page.')
  const [best] = page.data.data as SavingsProduct[]
  if (!best) throw new Error('The list is empty.')
  const next: string | null = page.data.meta.nextCursor
  const one = await ratesGet({ client, path: { sourceKey: best.sourceKey }, headers: { 'X-SVC-Max-Credits': 1 } })
  const grown = await simulate({ client, query: { sourceKey: best.sourceKey, amount: 1000, months: 12 } })
  // @ts-expect-error: no such account type
  const typo = await ratesList({ client, query: { type: 'easy-acces' } })
  // @ts-expect-error: the product key is missing
  const missing = () => ratesGet({ client })
  if (!typo.error) throw new Error('A typo was accepted.')
  return { rows: page.data.data.length, next, same: one.data?.data.accountName === best.accountName, months: grown.data !== undefined, refused: typo.error.error, missing: typeof missing }
}
`
