import { accountByEmail } from '#server/accounts/accounts.ts'
import type { AccountType } from '#server/api/contract/account-types.ts'
import { type EventType, eventTypes, NewWebhook } from '#server/api/contract/webhooks.ts'
import { readEnv } from '#server/env.ts'
import { loadSnapshot } from '#server/market/snapshot.ts'
import { createLog } from '#server/observability/log.ts'
import type { ServiceDatabase } from '#server/runtime/database.ts'
import { getSecret } from '#server/runtime/secret.ts'
import { sampleEvents } from '#server/runtime/webhook-events.ts'
import { switchWebhooks } from '#server/webhooks/access.ts'
import { getWebhooks } from '#server/webhooks/endpoints.ts'
import { createWebhook, deleteWebhook, pauseWebhook, resumeWebhook, testWebhook, wantedWebhook } from '#server/webhooks/manage-endpoints.ts'
import type { WebhookDeps } from '#server/webhooks/webhook-deps.ts'
import { commaList, oneOf, type SvcCommand, wholeNumber } from './context.ts'

/** Actor for webhook functions on the command line: an operator, who may change the endpoints of any account. */
const operator = { accountId: null, actor: 'operator', address: null } as const

async function toDeps({ pool }: ServiceDatabase): Promise<WebhookDeps> {
  const env = readEnv()
  const settings = { secret: await getSecret(env), developmentFeatures: env.developmentFeatures, allowsPrivate: env.webhooksAllowPrivate }
  const now = () => Date.now()
  const sample = sampleEvents({ pool, publicUrl: env.publicUrl, market: () => loadSnapshot(pool, now), now })
  return { pool, log: createLog('warn'), settings, sample }
}

type Create = { account: string; url: string; types: string[]; providers?: string[]; accountTypes?: string[]; minChange?: number; description?: string }

/** Validates the options as the form in the portal does. @throws Error with all validation messages. */
function newWebhook(options: Create): NewWebhook {
  const types = options.types.includes('all') ? [...eventTypes] : (options.types as EventType[])
  const accountTypes = (options.accountTypes ?? []) as Exclude<AccountType, 'all'>[]
  const wanted = { url: options.url, description: options.description ?? '', types, providers: options.providers ?? [], accountTypes }
  const parsed = NewWebhook.safeParse({ ...wanted, minChangeBp: options.minChange ?? null })
  if (parsed.success) return parsed.data
  throw new Error(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}.`).join(' '))
}

function addCreate(webhook: SvcCommand): void {
  webhook
    .accountSub('create', 'create an endpoint and enable webhooks for the account; the secret is shown only once')
    .requiredOption('--url <url>', 'URL to send events to')
    .requiredOption('--types <types>', `comma-separated event types, or all: ${eventTypes.join(', ')}`, commaList)
    .option('--providers <slugs>', 'only events about these providers', commaList)
    .option('--account-types <types>', 'only events about products of these account types', commaList)
    .option('--min-change <n>', 'minimum rate change, in basis points (hundredths of a percentage point)', wholeNumber(1, 10_000))
    .option('--description <text>', 'display name')
    .onDatabase(async (options: Create, database) => {
      const { id: accountId } = await accountByEmail(database.pool, options.account)
      const deps = await toDeps(database)
      const wanted = wantedWebhook(deps, newWebhook(options))
      // Creating an endpoint also enables webhooks: an operator may do both.
      await switchWebhooks(deps, options.account, true)
      const made = await createWebhook(deps, { ...operator, accountId }, wanted)
      return { result: made, lines: [made.secret, `Created endpoint ${made.id}. The secret is not shown again.`] }
    })
}

function addTest(webhook: SvcCommand): void {
  webhook
    .sub('test', 'send a free test event, delivered by the worker')
    .requiredOption('--id <id>', 'id of the endpoint')
    .option('--type <type>', 'type of the event', oneOf(eventTypes))
    .onDatabase(async (options: { id: string; type?: EventType }, database) => {
      const made = await testWebhook(await toDeps(database), operator, options.id, options.type ?? null)
      return { result: { id: options.id, ...made }, lines: [`Queued test event ${made.event} as delivery ${made.delivery}.`] }
    })
}

function addList(webhook: SvcCommand): void {
  webhook.accountSub('list', 'list the endpoints of an account').onDatabase(async (options: { account: string }, database) => {
    const { id: accountId } = await accountByEmail(database.pool, options.account)
    const webhooks = await getWebhooks(await toDeps(database), accountId)
    return { result: { webhooks }, lines: webhooks.map((one) => `${one.id}  ${one.state}  ${one.url}  ${one.types.join()}  ${one.waiting} waiting`) }
  })
}

function addStates(webhook: SvcCommand): void {
  const change = (name: string, description: string, done: string, run: typeof pauseWebhook) =>
    webhook
      .sub(name, description)
      .requiredOption('--id <id>', 'id of the endpoint')
      .onDatabase(async (options: { id: string }, database) => {
        await run(await toDeps(database), operator, options.id)
        return { result: { id: options.id, done: name }, lines: [`${done} ${options.id}.`] }
      })
  change('pause', 'pause sending; events are kept', 'Paused', pauseWebhook)
  change('resume', 'resume sending in order', 'Resumed', resumeWebhook)
  change('delete', 'delete an endpoint and its pending events', 'Deleted', deleteWebhook)
}

export function addWebhookCommands(program: SvcCommand): void {
  const webhook = program.sub('webhook', 'manage webhooks')
  addCreate(webhook)
  addTest(webhook)
  addList(webhook)
  addStates(webhook)
}

export function addWebhookSwitch(account: SvcCommand): void {
  account
    .accountSub('webhooks', 'enable or disable webhooks for an account')
    .option('--on', 'enable webhooks')
    .option('--off', 'stop sending and collecting events; endpoints are kept')
    .onDatabase(async (options: { account: string; on?: true; off?: true }, { pool }) => {
      if (options.on === options.off) throw new Error('Pass either --on or --off.')
      const isOn = options.on === true
      await switchWebhooks({ pool }, options.account, isOn)
      return { result: { account: options.account, webhooks: isOn }, lines: [`${isOn ? 'Enabled' : 'Disabled'} webhooks for ${options.account}.`] }
    })
}
