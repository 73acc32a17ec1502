import type { Command } from 'commander'
import type { Pool } from 'pg'
import { accountByEmail } from '#server/accounts/accounts.ts'
import type { Mode } from '#server/api/contract/endpoint.ts'
import type { Scope } from '#server/api/contract/scopes.ts'
import { createKey, createPartnerKey, KeyRequestError, revokeKey } from '#server/keys/keys.ts'
import { withDatabase } from './context.ts'
import { commaList, moment, oneOf, scopeList, wholeNumber } from './parse.ts'

type Create = { account: string; mode: Mode | 'partner'; scopes?: Scope[]; ips?: string[]; spendCap?: number; expires?: Date; name?: string }

/** A key of the partner API has no scopes and costs nothing, so options about them would be lost without a word. */
async function create(pool: Pool, accountId: number, options: Create): Promise<{ id: string; key: string }> {
  const { mode, scopes, spendCap } = options
  const use = { accountId, name: options.name ?? '', addresses: options.ips ?? [], expiresAt: options.expires ?? null }
  if (mode !== 'partner') return createKey(pool, { ...use, mode, scopes: scopes ?? scopeList('all'), spendCapCredits: spendCap ?? null })
  if (scopes !== undefined || spendCap !== undefined) throw new KeyRequestError('A partner key takes neither --scopes nor --spend-cap.')
  return createPartnerKey(pool, use)
}

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('API keys')
  key
    .command('create')
    .description('make a key; it is shown this once')
    .requiredOption('--account <account>', 'e-mail or id of the account')
    .requiredOption('--mode <mode>', 'test, live, or partner for the API before v1', oneOf(['test', 'live', 'partner']))
    .option('--scopes <scopes>', 'all, or scopes with commas between them; all unless given', scopeList)
    .option('--ips <ranges>', 'addresses and CIDR ranges that may use it', commaList)
    .option('--spend-cap <n>', 'most credits in a calendar month', wholeNumber(0))
    .option('--expires <time>', 'when it stops working, ISO 8601', moment)
    .option('--name <name>', 'name for people')
    .action((options: Create, command: Command) =>
      withDatabase(command, async ({ pool }) => {
        const { id: accountId } = await accountByEmail(pool, options.account)
        const made = await create(pool, accountId, options)
        return { result: made, lines: [made.key, `Its id is ${made.id}. The key is shown only now.`] }
      }),
    )
  key
    .command('revoke')
    .description('end a key; it holds from the next call on')
    .requiredOption('--id <id>', 'id of the key')
    .action((options: { id: string }, command: Command) =>
      withDatabase(command, async ({ pool }) => {
        await revokeKey(pool, options.id)
        return { result: { id: options.id, revoked: true }, lines: [`${options.id} is revoked.`] }
      }),
    )
}
