import type { Command } from 'commander'
import { operations } from '#server/api/documents/catalogue.ts'
import { accountOfRequest, type RequestAccount, type RequestInFull, requestInFull } from '#server/metering/requests.ts'
import { withDatabase } from './context.ts'

const notThere =
  'There is no such request. Give the whole id, req_ and 32 digits, of a call of the last 30 days that had a key of this service. A 500 is in the log of its process; a call with an unknown key is there only with LOG_LEVEL=debug.'

/** What is known of a call, for people. */
function told(call: RequestInFull, { publicId, email }: RequestAccount): string[] {
  const { charge } = call
  return [
    `${call.id}: ${call.endpoint.name}, at ${call.at.toISOString()}, decided in ${call.tookMs} ms.`,
    `Asked:    ${call.target === null ? 'not kept' : `${call.method} ${call.target}`}`,
    `By:       ${email} (${publicId}), key ${call.key.name} (${call.key.id}, ${call.key.mode})`,
    `Answered: ${call.status}${call.error === null ? '' : ` ${call.error}`}${call.message === null ? '' : `: ${call.message}`}`,
    `Charged:  ${charge.credits} credits${charge.freeBy === null ? '' : ` (${charge.freeBy})`}${call.givenBack ? ', given back' : ''}; ${call.balanceAfter} were left.`,
  ]
}

export function addRequestCommands(program: Command): void {
  program
    .command('request')
    .description('calls of the API')
    .command('show')
    .description('what became of a call: by whom, the answer, the error and its message, the charge')
    .requiredOption('--id <id>', 'id of the request, as the caller quotes it')
    .action(({ id }: { id: string }, command: Command) =>
      withDatabase(command, async ({ pool }) => {
        const account = await accountOfRequest(pool, id)
        if (account === null) throw new Error(notThere)
        const call = await requestInFull(pool, account.id, id, operations)
        return { result: { account: account.publicId, email: account.email, ...call }, lines: told(call, account) }
      }),
    )
}
