import type { AccountType } from '#server/api/contract/account-types.ts'
import type { Context } from '#server/api/endpoints/define.ts'
import { listHistory } from '#server/api/endpoints/history/list-history.endpoint.ts'
import { listRates } from '#server/api/endpoints/rates/list-rates.endpoint.ts'
import type { SavingsProduct } from '#server/api/endpoints/rates/savings-product.ts'
import { callableByTestKeys, catalogueLine, getReach } from '../catalogue.ts'
import { getCoverage, type Markets, type PastData, pageContext } from '../markets.ts'
import { toHistory } from '../product-page.ts'
import { operationPath } from '../reference/operation-groups.ts'
import { sampleAnswer, sampleLimit } from '../samples.ts'

const type: AccountType = 'easy-access'

const curl = (origin: string, target: string) => `curl "${origin}/v1${target}" \\\n  -H "Authorization: Bearer $SVC_API_KEY"`

type Query = { readonly origin: string; readonly at: string }

/** Returns a year of rates of the product with the most rate changes, excluding products that were ever withdrawn; null if there is no history. */
async function findChart(rows: readonly SavingsProduct[], past: PastData) {
  const charts = await Promise.all(
    rows.map(async (row) => ({ name: `${row.provider} ${row.accountName}`, history: toHistory(await past.rateHistory('sample', row.sourceKey)) })),
  )
  const [chart] = charts
    .filter(({ history }) => history.steps.every(({ rate }) => rate !== null))
    .toSorted((a, b) => b.history.steps.length - a.history.steps.length)
  return chart !== undefined && chart.history.steps.length > 0 ? { ...chart, plan: catalogueLine(listHistory, new Map()).plan } : null
}

/** Returns the products of the example call. */
async function readProducts(sample: Context['market']): Promise<readonly SavingsProduct[]> {
  const page = await listRates.read({ type }, { limit: sampleLimit, after: null }, pageContext(sample, 'test'))
  return (page as { rows: SavingsProduct[] }).rows
}

const toRow =
  (sample: Context['market']) =>
  ({ sourceKey, provider, providerSlug, accountName, rate, boostDuration, access }: SavingsProduct) => ({
    sourceKey,
    provider,
    monogram: sample.provider(providerSlug)?.monogram ?? null,
    accountName,
    rate,
    detail: boostDuration === null ? access : `Bonus for ${boostDuration}`,
  })

/** Returns the sample call of the home page: its request, its response, the same rows for a table, and a year of rates of one of its products. */
export async function homeExample(sample: Context['market'], past: PastData, { origin, at }: Query) {
  const { target, cost, body } = await sampleAnswer(sample, type, at)
  const products = await readProducts(sample)
  return {
    target,
    cost,
    body,
    curl: curl(origin, target),
    /** URL of the endpoint's page, which runs the call when it opens. */
    runHref: `${operationPath(listRates)}?send=1&${target.split('?')[1]}`,
    rows: products.map(toRow(sample)),
    chart: await findChart(products, past),
  }
}

/** Returns the best accounts of the sample data, for the example next to the sign-in form. */
export const exampleRows = async (sample: Context['market']) => (await readProducts(sample)).map(toRow(sample))

/** Returns the size of the live market, of its rate history and of the API. */
export async function homeCoverage(markets: Markets, past: PastData) {
  return { ...getCoverage(markets), history: await past.historySpan('live'), endpoints: { all: callableByTestKeys(), live: getReach('enterprise').of } }
}

/** Call with one parameter per line, because the columns of the page fit about 40 characters. */
const rankCode = (origin: string) => `curl -G "${origin}/v1${listRates.path}" \\
  -d type=fixed-rate \\
  -d amount=25000 \\
  -d limit=10 \\
  -H "Authorization: Bearer $SVC_API_KEY"`

/** Settings of an MCP client. The same settings are in the guide. */
const toolSettings = (origin: string) => `{
  "mcpServers": {
    "savings-rates": {
      "type": "http",
      "url": "${origin}/mcp",
      "headers": { "Authorization": "Bearer $SVC_API_KEY" }
    }
  }
}`

const webhookCode = `const { type, data } =
  await verifyWebhook(delivery)

if (type === 'rate.changed') {
  const { sourceKey, newRate } = data
  await update(sourceKey, newRate)
}`

/** Returns three use cases of the API, each with code. */
export const useCases = (origin: string) => [
  {
    title: 'Rank accounts for a balance',
    who: 'Comparison sites and savings apps',
    text: 'One call returns the accounts that accept the amount, best rate first, with bonus, terms and deposit protection.',
    sample: { label: 'curl', language: 'sh', code: rankCode(origin) },
    link: { href: operationPath(listRates), name: 'Rates reference' },
  },
  {
    title: 'React when a rate changes',
    who: 'Savings platforms and alerts',
    text: 'We send a signed webhook for each rate change, new product and withdrawal. No polling.',
    sample: { label: 'TypeScript', language: 'ts', code: webhookCode },
    link: { href: '/docs/webhooks', name: 'Webhooks guide' },
  },
  {
    title: 'Give an AI assistant real rates',
    who: 'Teams that build with MCP',
    text: 'Every endpoint is also a tool, with the same keys, prices and request log.',
    sample: { label: 'MCP settings', language: 'json', code: toolSettings(origin) },
    link: { href: '/docs/tools', name: 'Tools guide' },
  },
]
