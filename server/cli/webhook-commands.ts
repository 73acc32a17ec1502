import type { Command } from 'commander'
import { accountByEmail } from '#server/accounts/accounts.ts'
import type { AccountType } from '#server/api/contract/account-types.ts'
import { type EventType, eventTypes } from '#server/api/contract/events.ts'
import { NewWebhook } from '#server/api/contract/webhooks.ts'
import { readEnv } from '#server/env.ts'
import { loadSnapshot } from '#server/market/snapshot.ts'
import { createLog } from '#server/observability/log.ts'
import type { Database } from '#server/runtime/database.ts'
import { secretOf } from '#server/runtime/secret.ts'
import { sampleEvents } from '#server/runtime/webhook-events.ts'
import {
  createWebhook,
  deleteWebhook,
  pauseWebhook,
  resumeWebhook,
  switchWebhooks,
  testWebhook,
  wantedWebhook,
  webhooksOf,
} from '#server/webhooks/endpoints.ts'
import type { WebhookRoom } from '#server/webhooks/webhook-room.ts'
import { withDatabase } from './context.ts'
import { commaList, oneOf, wholeNumber } from './parse.ts'

/** The operator acts on the endpoints of anybody. */
const operator = { accountId: null, actor: 'operator', address: null } as const

async function roomOf({ pool }: Database): Promise<WebhookRoom> {
  const env = readEnv()
  const settings = { secret: await secretOf(env), developmentFeatures: env.developmentFeatures, allowsPrivate: env.webhooksAllowPrivate }
  const now = () => Date.now()
  const sample = sampleEvents({ pool, publicUrl: env.publicUrl, market: () => loadSnapshot(pool, now), now })
  return { pool, log: createLog('warn'), settings, sample }
}

type Create = { account: string; url: string; types: string[]; providers?: string[]; accountTypes?: string[]; minChange?: number; description?: string }

/** The options as the portal's form has them. @throws ZodError */
function newWebhook(options: Create): NewWebhook {
  const types = options.types.includes('all') ? [...eventTypes] : (options.types as EventType[])
  const accountTypes = (options.accountTypes ?? []) as Exclude<AccountType, 'all'>[]
  const wanted = { url: options.url, description: options.description ?? '', types, providers: options.providers ?? [], accountTypes }
  const parsed = NewWebhook.safeParse({ ...wanted, minChangeBp: options.minChange ?? null })
  if (parsed.success) return parsed.data
  throw new Error(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}.`).join(' '))
}

function addCreate(webhook: Command): void {
  webhook
    .command('create')
    .description('make an endpoint; its secret is shown this once, and webhooks are on for the account from now on')
    .requiredOption('--account <account>', 'e-mail or id of the account')
    .requiredOption('--url <url>', 'where events are posted to')
    .requiredOption('--types <types>', `all, or types with commas between them: ${eventTypes.join(', ')}`, commaList)
    .option('--providers <slugs>', 'only events of these providers', commaList)
    .option('--account-types <types>', 'only products of these account types', commaList)
    .option('--min-change <n>', 'only rate changes of at least so many hundredths of a percent', wholeNumber(1, 10_000))
    .option('--description <text>', 'a name for people')
    .action((options: Create, command: Command) =>
      withDatabase(command, async (database) => {
        const { id: accountId } = await accountByEmail(database.pool, options.account)
        const room = await roomOf(database)
        const wanted = wantedWebhook(room, newWebhook(options))
        // Whoever may switch webhooks on has done so by asking for an endpoint.
        await switchWebhooks(room, options.account, true)
        const made = await createWebhook(room, { ...operator, accountId }, wanted)
        return { result: made, lines: [made.secret, `The endpoint is ${made.id}. The secret is shown only now.`] }
      }),
    )
}

function addTest(webhook: Command): void {
  webhook
    .command('test')
    .description('send a test event, free; the worker of the service delivers it')
    .requiredOption('--id <id>', 'id of the endpoint')
    .option('--type <type>', 'type of the event', oneOf(eventTypes))
    .action((options: { id: string; type?: EventType }, command: Command) =>
      withDatabase(command, async (database) => {
        const made = await testWebhook(await roomOf(database), operator, options.id, options.type ?? null)
        return { result: { id: options.id, ...made }, lines: [`The test event ${made.event} is on its way as ${made.delivery}.`] }
      }),
    )
}

function addList(webhook: Command): void {
  webhook
    .command('list')
    .description('the endpoints of an account')
    .requiredOption('--account <account>', 'e-mail or id of the account')
    .action((options: { account: string }, command: Command) =>
      withDatabase(command, async (database) => {
        const { id: accountId } = await accountByEmail(database.pool, options.account)
        const webhooks = await webhooksOf(await roomOf(database), accountId)
        return { result: { webhooks }, lines: webhooks.map((one) => `${one.id}  ${one.state}  ${one.url}  ${one.types.join()}  ${one.waiting} waiting`) }
      }),
    )
}

function addStates(webhook: Command): void {
  const change = (name: string, what: string, told: string, run: typeof pauseWebhook) =>
    webhook
      .command(name)
      .description(what)
      .requiredOption('--id <id>', 'id of the endpoint')
      .action((options: { id: string }, command: Command) =>
        withDatabase(command, async (database) => {
          await run(await roomOf(database), operator, options.id)
          return { result: { id: options.id, done: name }, lines: [`${options.id} ${told}.`] }
        }),
      )
  change('pause', 'stop sending; events are kept', 'is paused', pauseWebhook)
  change('resume', 'go on in order', 'goes on', resumeWebhook)
  change('delete', 'end an endpoint and what waits for it', 'is deleted', deleteWebhook)
}

export function addWebhookCommands(program: Command): void {
  const webhook = program.command('webhook').description('webhooks')
  addCreate(webhook)
  addTest(webhook)
  addList(webhook)
  addStates(webhook)
}

export function addWebhookSwitch(account: Command): void {
  account
    .command('webhooks')
    .description('switch webhooks on or off for an account')
    .requiredOption('--account <account>', 'e-mail or id of the account')
    .option('--on', 'let it have endpoints')
    .option('--off', 'send and collect nothing; its endpoints stay')
    .action((options: { account: string; on?: true; off?: true }, command: Command) =>
      withDatabase(command, async ({ pool }) => {
        if (options.on === options.off) throw new Error('Give either --on or --off.')
        const isOn = options.on === true
        await switchWebhooks({ pool }, options.account, isOn)
        return { result: { account: options.account, webhooks: isOn }, lines: [`Webhooks of ${options.account} are ${isOn ? 'on' : 'off'}.`] }
      }),
    )
}
