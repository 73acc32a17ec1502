import type { Command } from 'commander'
import type { Pool } from 'pg'
import { accountByEmail } from '#server/accounts/accounts.ts'
import type { Mode } from '#server/api/contract/endpoint.ts'
import type { Scope } from '#server/api/contract/scopes.ts'
import { createKey, createPartnerKey, KeyRequestError, revokeKey } from '#server/keys/keys.ts'
import { withDatabase } from './context.ts'
import { commaList, moment, oneOf, scopeList, wholeNumber } from './parse.ts'

type Create = { account: string; mode: Mode | 'partner'; scopes?: Scope[]; ips?: string[]; spendCap?: number; expires?: Date; name?: string }

/** Creates a key. Refuses `--scopes` and `--spend-cap` for partner keys, which have neither, instead of ignoring them. */
async function create(pool: Pool, accountId: number, options: Create): Promise<{ id: string; key: string }> {
  const { mode, scopes, spendCap } = options
  const use = { accountId, name: options.name ?? '', addresses: options.ips ?? [], expiresAt: options.expires ?? null }
  if (mode !== 'partner') return createKey(pool, { ...use, mode, scopes: scopes ?? scopeList('all'), spendCapCredits: spendCap ?? null })
  if (scopes !== undefined || spendCap !== undefined) throw new KeyRequestError("Partner keys don't support --scopes and --spend-cap.")
  return createPartnerKey(pool, use)
}

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('manage API keys')
  key
    .command('create')
    .description('create a key, which is shown only once')
    .requiredOption('--account <account>', 'email or id of the account')
    .requiredOption('--mode <mode>', 'test, live, or partner (for the legacy API)', oneOf(['test', 'live', 'partner']))
    .option('--scopes <scopes>', 'comma-separated scopes, or all (default)', scopeList)
    .option('--ips <ranges>', 'comma-separated IP addresses and CIDR ranges that may use it', commaList)
    .option('--spend-cap <n>', 'maximum credits per calendar month', wholeNumber(0))
    .option('--expires <time>', 'expiry, ISO 8601', moment)
    .option('--name <name>', 'display name')
    .action((options: Create, command: Command) =>
      withDatabase(command, async ({ pool }) => {
        const { id: accountId } = await accountByEmail(pool, options.account)
        const made = await create(pool, accountId, options)
        return { result: made, lines: [made.key, `Created key ${made.id}. The key is not shown again.`] }
      }),
    )
  key
    .command('revoke')
    .description('revoke a key, effective immediately')
    .requiredOption('--id <id>', 'id of the key')
    .action((options: { id: string }, command: Command) =>
      withDatabase(command, async ({ pool }) => {
        await revokeKey(pool, options.id)
        return { result: { id: options.id, revoked: true }, lines: [`Revoked ${options.id}.`] }
      }),
    )
}
