import { table } from '../generated/table.ts'
import type { Pagination } from '../pagination.ts'
import { SavingsRates } from '../savings-rates.ts'
import { version } from '../settings.ts'
import type { OperationId, PagedId } from '../shapes.ts'
import { type Environment, readApiKey } from './api-key.ts'
import { type Command, readCommand, splitWords } from './arguments.ts'
import { findEndpoint, startingWith } from './endpoint.ts'
import { fail, getContinuation, getRepetition } from './failure.ts'
import { getCommandHelp, getHelp, getListenHelp } from './help.ts'
import { listenCommand, readListenArguments, runListen } from './listen-command.ts'
import { render } from './output.ts'
import { UsageError } from './usage.ts'

/** Environment of a run: variables and streams. */
export type Terminal = {
  readonly env: Environment
  /** Writes to standard output. Rejects if the reader has exited. */
  readonly out: (text: string) => Promise<void>
  readonly err: (text: string) => void
  /** Returns a signal that aborts when the user presses Ctrl+C. Unless it is called, Ctrl+C ends the program immediately. */
  readonly catchInterrupt: () => AbortSignal
}

const credits = (count: number) => `${count} ${count === 1 ? 'credit' : 'credits'}`

const stops: Readonly<Record<string, string>> = {
  ceiling: 'Stopped at --max-credits.',
  credits: 'Stopped: not enough credits for the next row. Top up to continue.',
  'spend-cap': 'Stopped at the spend cap of the key or the account.',
}

const isPaged = (id: OperationId): id is PagedId => table[id].isPaged

/** Prints rows. NDJSON rows are printed as they arrive, so that nothing more is spent once the reader of the pipe exits. */
async function printRows(pages: Pagination<unknown>, id: PagedId, { format, fields }: Command, out: Terminal['out']): Promise<void> {
  const rows: unknown[] = []
  try {
    for await (const row of pages) {
      if (format === 'ndjson') await out(render(id, row, format, fields))
      else rows.push(row)
    }
  } catch (error) {
    // The rows so far have been paid for.
    if (rows.length > 0) await out(render(id, rows, format, fields))
    throw error
  }
  if (format !== 'ndjson') await out(render(id, rows, format, fields))
}

async function printList(client: SavingsRates, id: PagedId, command: Command, { out, err }: Terminal): Promise<number> {
  const { input, fields, maxRows, maxCredits, cursor, idempotencyKey } = command
  const given = { ...input, ...(fields === null ? {} : { fields }), ...(cursor === undefined ? {} : { cursor }) }
  const pages = client.iterate(id, given as never, { maxCredits, idempotencyKey, ...(maxRows === null ? {} : { maxRows }) })
  const spent = () => `${pages.rows} ${pages.rows === 1 ? 'row' : 'rows'}, ${credits(pages.credits)}\n`
  try {
    await printRows(pages, id, command, out)
  } catch (error) {
    if (pages.rows > 0) err(spent())
    const status = fail(error, err)
    err(getContinuation(error, pages, command))
    return status
  }
  const stop = stops[pages.stopped ?? '']
  err(`${spent()}${stop === undefined ? '' : `${stop}\n`}`)
  return stop === undefined ? 0 : 1
}

type AnyMethod = (input: object, options: object) => Promise<{ data: unknown; creditsCharged: number; creditsBalance: number }>

async function printOne(client: SavingsRates, id: OperationId, command: Command, { out, err }: Terminal): Promise<number> {
  const { input, fields, format, maxCredits, idempotencyKey } = command
  const given = fields === null ? input : { ...input, fields }
  try {
    const answer = await (client[id] as unknown as AnyMethod).call(client, given, { maxCredits, idempotencyKey })
    await out(render(id, answer.data, format, fields)).finally(() => err(`${credits(answer.creditsCharged)}, ${answer.creditsBalance} left\n`))
    return 0
  } catch (error) {
    const status = fail(error, err)
    err(getRepetition(error))
    return status
  }
}

async function openClient({ url }: Pick<Command, 'url'>, env: Environment): Promise<SavingsRates> {
  const apiKey = await readApiKey(env)
  try {
    return new SavingsRates({ apiKey, baseUrl: url ?? (env['SVC_API_URL'] || undefined), allowHttp: env['SVC_ALLOW_HTTP'] === '1' })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function help(words: readonly string[]): string {
  if (words[0] === listenCommand.name) return getListenHelp()
  const group = startingWith(words)
  const isCommand = words.length > 0 && (group.length === 0 || group.some(({ path }) => path === `/${words.join('/')}`))
  return isCommand ? getCommandHelp(findEndpoint(words).endpoint) : getHelp(group)
}

async function execute(args: readonly string[], terminal: Terminal): Promise<number> {
  const { words, options } = splitWords(args)
  if (options.includes('--version')) await terminal.out(`${version}\n`)
  else if (options.includes('--help') || options.includes('-h')) await terminal.out(help(words))
  else if (words.length === 0) throw new UsageError('The command is missing. Run savings-rates --help to list the commands.')
  else if (words.join(' ') === listenCommand.name) {
    const given = readListenArguments(options)
    const client = await openClient(given, terminal.env)
    return await runListen(client, given, { ...terminal, secret: terminal.env['SVC_WEBHOOK_SECRET'] || undefined, signal: terminal.catchInterrupt() })
  } else {
    const command = readCommand(args)
    const client = await openClient(command, terminal.env)
    const { id } = command.endpoint
    return isPaged(id) ? await printList(client, id, command, terminal) : await printOne(client, id, command, terminal)
  }
  return 0
}

/** Runs a command and returns its exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await execute(args, terminal)
  } catch (error) {
    return fail(error, terminal.err)
  }
}
