import { starterCredits, testKeyPerMinute } from '#server/api/contract/access.ts'
import { defaultLimit, keptDays, maximumLimit, withdrawnDays } from '#server/api/contract/endpoint.ts'
import { attribution } from '#server/api/contract/envelope.ts'
import { immediateEmailMinutes, keptNotificationDays, maxListedChanges } from '#server/api/contract/market-alerts.ts'
import { creditPence } from '#server/api/contract/price-kinds.ts'
import { productName } from '#server/api/contract/product-name.ts'
import { maxBodyBytes } from '#server/api/contract/request-bounds.ts'
import {
  type AccountEventType,
  creditsPerEvent,
  deliveryTimeoutSeconds,
  events,
  keptDeliveryDays,
  maxOfAccount,
  maxSentAgainAnHour,
  maxWebhookEndpoints,
  sampleAccountEvent,
  signatureAgeSeconds,
  unacknowledged,
  webhookPorts,
} from '#server/api/contract/webhooks.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { snapshotCredits } from '#server/api/endpoints/snapshots/snapshot-file.ts'
import { describePence } from '../catalogue.ts'
import { errorPage } from '../error-texts.ts'
import { getCoverage } from '../markets.ts'
import { exampleMoment } from '../openapi/example-own-account.ts'
import { exampleCall } from '../openapi/examples.ts'
import type { DocsData } from '../published-values.ts'
import { requestSamples } from '../reference/request-samples.ts'
import { sampleAnswer } from '../samples.ts'
import {
  accountEventTable,
  alertLimits,
  chargingList,
  errorTable,
  eventTable,
  limitHeaders,
  limitTable,
  marketCostTable,
  retryWaits,
  sampleWeekTable,
  scopeTable,
  sourceTable,
  statementTable,
  toolTable,
  trimmedWholeLists,
  untrimmedWholeLists,
} from './guide-tables.ts'
import { count, json, markdownCode } from './write-markdown.ts'

type Value = string | ((facts: DocsData, argument: string) => string | Promise<string>)

function firstProduct({ sample }: DocsData): string {
  return sample.referenceProducts({})[0]?.sourceKey ?? ''
}

/** Returns the response to the quick-start call with a test key, reduced to two rows and three fields. */
async function ratesAnswer({ sample }: DocsData): Promise<string> {
  const { body } = await sampleAnswer(sample, 'easy-access', exampleMoment)
  const data = (body.data as readonly Record<string, unknown>[]).slice(0, 2).map(({ provider, accountName, rate }) => ({ provider, accountName, rate }))
  return json({ data, meta: { ...body.meta, limit: 2 } })
}

/** Returns the quick-start call in the languages that the guide does not contain. */
function moreLanguages({ publicUrl }: DocsData): string {
  return requestSamples(`${publicUrl}/v1/rates?type=easy-access&limit=3`, 'list')
    .filter(({ language }) => ['php', 'go', 'ruby'].includes(language))
    .map(({ language, code: text }) => markdownCode(language, text))
    .join('\n\n')
}

function errorExample({ publicUrl }: DocsData, name: string): string {
  const page = errorPage(name, publicUrl)
  if (page === null) throw new Error(`Unknown error code "${name}".`)
  return json(page.example)
}

/** Returns an example event about a switch offer. Its data is a row of the switch offers list. */
async function eventExample(facts: DocsData): Promise<string> {
  const type = 'switch_offer.changed'
  const entry = registry.find(({ id }) => id === events[type].schemaSource)
  const example = entry ? await exampleCall(entry, facts) : null
  const [row] = (example?.body.data ?? []) as readonly object[]
  return json({ id: 'evt_5Jt2XbR8mWq0LcVz', type, createdAt: exampleMoment, attempt: 1, data: row })
}

/** Returns an example of an account event. */
const accountEventExample =
  (type: AccountEventType) =>
  ({ publicUrl }: DocsData): string =>
    json({ id: 'evt_2Rk8WcYp0Ls6NvGd', type, createdAt: exampleMoment, attempt: 1, data: sampleAccountEvent(type, publicUrl, exampleMoment) })

const toolClientSettings = ({ publicUrl }: DocsData) =>
  json({ mcpServers: { 'savings-rates': { type: 'http', url: `${publicUrl}/mcp`, headers: { Authorization: 'Bearer $SVC_API_KEY' } } } })

/** Returns the placeholder that a code editor replaces with the user's input. `id` refers to an entry of `inputs`. */
const inputPlaceholder = (id: string) => `$\{input:${id}}`

const editorSettings = ({ publicUrl }: DocsData) =>
  json({
    inputs: [{ id: 'svc-key', type: 'promptString', description: `${productName} key`, password: true }],
    servers: { 'savings-rates': { type: 'http', url: `${publicUrl}/mcp`, headers: { Authorization: `Bearer ${inputPlaceholder('svc-key')}` } } },
  })

function versionState({ deprecation, sunset }: DocsData): string {
  if (deprecation === null && sunset === null) return 'It is the current version, with no planned end date.'
  const since = deprecation === null ? '' : ` since ${new Date(Number(deprecation.slice(1)) * 1_000).toUTCString()}`
  return `It is deprecated${since}.${sunset === null ? '' : ` It will be switched off on ${sunset}.`}`
}

function marketState({ live, sample }: DocsData): string {
  const { products, providers, isFictional } = getCoverage({ dataset: (name) => (name === 'live' ? live : sample) })
  const size = `Live keys read ${count(products)} products from ${count(providers)} providers.`
  return isFictional ? `> ${size} This is a demonstration market: the providers and their rates are fictional.` : size
}

const values: Readonly<Record<string, Value>> = {
  origin: ({ publicUrl }) => publicUrl,
  api: ({ publicUrl }) => `${publicUrl}/v1`,
  mcp: ({ publicUrl }) => `${publicUrl}/mcp`,
  attribution,
  licence: ({ licence }) => licence,
  creditPrice: describePence(creditPence),
  starterCredits: String(starterCredits),
  testPerMinute: String(testKeyPerMinute),
  defaultLimit: String(defaultLimit),
  maximumLimit: String(maximumLimit),
  withdrawnDays: String(withdrawnDays),
  keptDays: String(keptDays),
  snapshotCredits: (_facts, name) => String(snapshotCredits[name.replace('_', '-') as keyof typeof snapshotCredits]),
  creditsPerEvent: String(creditsPerEvent),
  webhookPorts: webhookPorts['https:'].join(' or '),
  deliveryTimeoutSeconds: String(deliveryTimeoutSeconds),
  signatureAgeSeconds: String(signatureAgeSeconds),
  keptDeliveryDays: String(keptDeliveryDays),
  immediateEmailMinutes: String(immediateEmailMinutes),
  keptNotificationDays: String(keptNotificationDays),
  maxListedChanges: String(maxListedChanges),
  alertLimits: alertLimits(),
  alertTable: accountEventTable('alert.matched'),
  alertExample: accountEventExample('alert.matched'),
  maxBodyKib: String(maxBodyBytes / 1_024),
  maxWebhookEndpoints: String(maxWebhookEndpoints),
  maxSentAgainAnHour: count(maxSentAgainAnHour),
  maxSentAgainOfAccount: count(maxOfAccount.sentAgainAnHour),
  unacknowledgedEvents: String(unacknowledged.events),
  unacknowledgedDays: String(unacknowledged.days),
  retryWaits: retryWaits(),
  chargingRules: chargingList(),
  error: errorExample,
  sampleProduct: firstProduct,
  ratesAnswer,
  moreLanguages,
  eventExample,
  balanceExample: accountEventExample('balance.low'),
  toolClientSettings,
  editorSettings,
  supportContact: ({ supportEmail }) => (supportEmail === null ? 'write to us' : `write to [${supportEmail}](mailto:${supportEmail})`),
  versionState,
  marketState,
  scopeTable,
  statementTable,
  limitTable,
  marketCosts: marketCostTable,
  limitHeaders,
  errorTable,
  eventTable,
  balanceTable: accountEventTable('balance.low'),
  toolTable,
  sampleWeekTable: sampleWeekTable(),
  sourceTable,
  trimmedWholeLists: trimmedWholeLists(),
  untrimmedWholeLists: untrimmedWholeLists(),
}

/** Replaces placeholders in double braces: `{{api}}`, `{{error not_found}}`. @throws Error for an unknown placeholder. */
export async function withValues(text: string, facts: DocsData): Promise<string> {
  const parts = text.split(/\{\{([a-zA-Z]+)(?: ([a-z_]+))?\}\}/)
  const made: string[] = []
  for (let at = 0; at < parts.length; at += 3) {
    made.push(parts[at] ?? '')
    const name = parts[at + 1]
    if (name === undefined) break
    const value = values[name]
    if (value === undefined) throw new Error(`Unknown placeholder "${name}" in the documentation.`)
    made.push(typeof value === 'string' ? value : await value(facts, parts[at + 2] ?? ''))
  }
  return made.join('')
}
