import type { Command } from 'commander'
import { operations } from '#server/api/documents/catalogue.ts'
import { findRequestAccount, getRequestWithDetails, type RequestAccount, type RequestWithDetails } from '#server/metering/requests.ts'
import { withDatabase } from './context.ts'

const notFound =
  'Request not found. Pass the full id (req_ and 32 digits) of a call from the last 30 days with a valid key. Calls with a 500 are in the process log; calls with an unknown key are logged only with LOG_LEVEL=debug.'

/** Describes a call in human-readable lines. */
function describe(call: RequestWithDetails, { publicId, email }: RequestAccount): string[] {
  const { charge } = call
  return [
    `${call.id}: ${call.endpoint.name}, at ${call.at.toISOString()}, decided in ${call.tookMs} ms.`,
    `Request:  ${call.target === null ? 'no longer stored' : `${call.method} ${call.target}`}`,
    `Caller:   ${email} (${publicId}), key ${call.key.name} (${call.key.id}, ${call.key.mode})`,
    `Response: ${call.status}${call.error === null ? '' : ` ${call.error}`}${call.message === null ? '' : `: ${call.message}`}`,
    `Charge:   ${charge.credits} credits${charge.freeBy === null ? '' : ` (${charge.freeBy})`}${call.givenBack ? ', refunded' : ''}; balance after: ${call.balanceAfter}.`,
  ]
}

export function addRequestCommands(program: Command): void {
  program
    .command('request')
    .description('inspect API calls')
    .command('show')
    .description('show a call: caller, response, error and charge')
    .requiredOption('--id <id>', 'request id')
    .action(({ id }: { id: string }, command: Command) =>
      withDatabase(command, async ({ pool }) => {
        const account = await findRequestAccount(pool, id)
        if (account === null) throw new Error(notFound)
        const call = await getRequestWithDetails(pool, account.id, id, operations)
        return { result: { account: account.publicId, email: account.email, ...call }, lines: describe(call, account) }
      }),
    )
}
