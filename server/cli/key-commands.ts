import type { Command } from 'commander'
import { accountByEmail } from '../accounts/accounts.ts'
import type { Mode } from '../contract/endpoint.ts'
import type { Scope } from '../contract/scopes.ts'
import { createKey, revokeKey } from '../keys/keys.ts'
import { withDatabase } from './context.ts'
import { commaList, moment, oneOf, scopeList, wholeNumber } from './parse.ts'

type Create = { account: string; mode: Mode; scopes: Scope[]; ips?: string[]; spendCap?: number; expires?: Date; name?: string }

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('API keys')
  key
    .command('create')
    .description('make a key; it is shown this once')
    .requiredOption('--account <email>', 'e-mail of the account')
    .requiredOption('--mode <mode>', 'test or live', oneOf(['test', 'live']))
    .option('--scopes <scopes>', 'all, or scopes with commas between them', scopeList, scopeList('all'))
    .option('--ips <ranges>', 'addresses and CIDR ranges that may use it', commaList)
    .option('--spend-cap <n>', 'most credits in a calendar month', wholeNumber(0))
    .option('--expires <time>', 'when it stops working, ISO 8601', moment)
    .option('--name <name>', 'name for people')
    .action((options: Create, command: Command) =>
      withDatabase(command, async ({ pool }) => {
        const { id: accountId } = await accountByEmail(pool, options.account)
        const made = await createKey(pool, {
          accountId,
          mode: options.mode,
          scopes: options.scopes,
          name: options.name ?? '',
          addresses: options.ips ?? [],
          spendCapCredits: options.spendCap ?? null,
          expiresAt: options.expires ?? null,
        })
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
