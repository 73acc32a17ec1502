import { type Endpoint, endpoints, type Parameter } from '../generated/endpoints.ts'
import { defaultRows, formats } from './arguments.ts'
import { toCommand } from './endpoint.ts'
import { listenCommand } from './listen-command.ts'
import { exitCodes, toFlag } from './usage.ts'

const width = 100

/** Wraps text to lines, all but the first indented. */
function wrap(text: string, indent: number, first: string): string {
  const lines: string[] = []
  let line = first
  for (const word of text.split(/\s+/)) {
    if (line.length + word.length + 1 > width && line.trim() !== '') {
      lines.push(line)
      line = ' '.repeat(indent)
    }
    line += line.length > indent ? ` ${word}` : word
  }
  return [...lines, line].map((one) => `${one.trimEnd()}\n`).join('')
}

/** Formats pairs of a name and a description in two columns. */
function columns(pairs: readonly (readonly [name: string, text: string])[]): string {
  const indent = Math.min(34, Math.max(...pairs.map(([name]) => name.length)) + 4)
  return pairs
    .map(([name, text]) => (name.length + 4 > indent ? `  ${name}\n${wrap(text, indent, ' '.repeat(indent))}` : wrap(text, indent, `  ${name}`.padEnd(indent))))
    .join('')
}

const shared = [
  [`--format <${formats.join('|')}>`, 'Default: table.'],
  ['--max-credits <credits>', 'Spends at most this number of credits.'],
  ['--idempotency-key <key>', 'Repeats a failed call without a second charge, within ten minutes.'],
  ['--url <url>', 'Base URL of the API. Default: SVC_API_URL, then the URL of the service that this package was built for.'],
  ['--help', 'Lists the commands or, after a command, its options.'],
] as const

const forLists = [
  ['--limit <rows>', `Number of rows in total. Default: ${defaultRows}.`],
  ['--all', 'All rows.'],
  ['--cursor <cursor>', 'Cursor to continue a list from.'],
] as const

/** Lists the commands. */
export function getHelp(some: readonly Endpoint[] = endpoints): string {
  return `Usage: savings-rates <command> [options]

Commands are the paths of the API, with spaces or slashes.
${columns([...some.map((one) => [toCommand(one), one.summary] as const), ...(some === endpoints ? [[listenCommand.name, listenCommand.summary] as const] : [])])}
Options
${columns(shared)}
The API key is read from the environment variable SVC_API_KEY, or from the file ~/.config/savings-rates/key (SVC_API_KEY_FILE). Other users must not have access to the file.
Data goes to standard output; charges and errors go to standard error.

Exit codes: ${Object.entries(exitCodes)
    .map(([text, code]) => `${code} ${text}`)
    .join(', ')}.
`
}

/** Formats an option. Lists the allowed values separately if they don't fit after its name. */
function option({ name, isRequired, values, text }: Parameter): readonly [string, string] {
  const value = values.length > 0 && values.join('|').length <= 40 ? values.join('|') : 'value'
  const listed = values.length > 0 && value === 'value' ? ` One of: ${values.join(', ')}.` : ''
  return [`--${toFlag(name)} <${value}>`, `${isRequired ? 'Required. ' : ''}${text}${listed}`]
}

/** Returns the help of a command, based on the OpenAPI document. */
export function getCommandHelp(endpoint: Endpoint): string {
  const inPath = endpoint.parameters.filter(({ place }) => place === 'path')
  const isPaged = endpoint.parameters.some(({ name }) => name === 'cursor')
  const own = endpoint.parameters.filter(({ name, place }) => place === 'query' && !(isPaged && ['cursor', 'limit'].includes(name)))
  const args = inPath.length === 0 ? '' : `\nArguments\n${columns(inPath.map(({ name, text }) => [`<${name}>`, text]))}`
  const about = endpoint.description.split('\n\n').map((paragraph) => wrap(paragraph, 0, ''))
  return `Usage: savings-rates ${toCommand(endpoint)} [options]

${endpoint.summary}

${about.join('\n')}${args}
Options
${columns([...own.map(option), ...(isPaged ? forLists : []), ...shared])}`
}

/** Returns the help of the command that forwards webhook events. */
export const getListenHelp = (): string => `Usage: savings-rates ${listenCommand.name} --forward <url> [options]

${listenCommand.summary}

${wrap('Forwards the events that are sent to your webhook endpoints, signed like the originals, until you press Ctrl+C. Live events are forwarded once your endpoints have received them. Forwarding costs nothing. Needs a key with the scope account:manage. Events are signed with a new secret, which is printed at the start, or with SVC_WEBHOOK_SECRET if it is set.', 0, '')}
Options
${columns(listenCommand.options)}`
