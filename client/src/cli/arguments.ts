import { parseArgs } from 'node:util'
import type { Endpoint } from '../generated/endpoints.ts'
import { findEndpoint, toSegments } from './endpoint.ts'
import { suggestion, toFlag, UsageError } from './usage.ts'

export const formats = ['table', 'json', 'csv', 'ndjson'] as const

export type Format = (typeof formats)[number]

/** Number of rows of a list if neither `--limit` nor `--all` is given. */
export const defaultRows = 10

/** Call described by the arguments. */
export type Command = {
  readonly endpoint: Endpoint
  readonly input: Readonly<Record<string, string>>
  readonly format: Format
  /** Total number of rows; null for all. */
  readonly maxRows: number | null
  readonly maxCredits: number | undefined
  readonly fields: readonly string[] | null
  /** Cursor of a list to continue from. */
  readonly cursor: string | undefined
  /** Idempotency key of a call that failed, to repeat it without a second charge. */
  readonly idempotencyKey: string | undefined
  readonly url: string | undefined
}

/** Parameters whose options the command line handles itself. */
const handled = ['limit', 'cursor', 'fields']

type Values = Readonly<Record<string, string | boolean | undefined>>

/** Splits the arguments into the words of the command and its options. */
export function splitWords(args: readonly string[]): { readonly words: readonly string[]; readonly options: readonly string[] } {
  const first = args.findIndex((arg) => arg.startsWith('-'))
  const end = first === -1 ? args.length : first
  return { words: toSegments(args.slice(0, end)), options: args.slice(end) }
}

/** Checks the names of all options first, so that the error for a typo suggests the right name. */
function checkNames(args: readonly string[], known: readonly string[]): void {
  for (const arg of args) {
    if (arg === '--') return
    const name = /^--([^=]+)/.exec(arg)?.[1]
    if (name !== undefined && !known.includes(name))
      throw new UsageError(
        `There is no option --${name}.${suggestion(
          `--${name}`,
          known.map((one) => `--${one}`),
        )}`,
      )
  }
}

/** Parses options. All except `--all` take a value. @throws UsageError */
export function parseOptions(args: readonly string[], names: readonly string[]): Values {
  checkNames(args, names)
  const options = Object.fromEntries(names.map((name) => [name, { type: name === 'all' ? ('boolean' as const) : ('string' as const) }]))
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.replace(/\n[\s\S]*/, '') : String(error))
  }
}

/** Parses a whole number. @throws UsageError */
export function whole(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} must be a whole number.`)
  return Number(text)
}

function readKey(text: string | undefined): string | undefined {
  if (text === undefined || /^[\x20-\x7e]{1,255}$/.test(text)) return text
  throw new UsageError('--idempotency-key must have 1 to 255 printable ASCII characters.')
}

function readFormat(text: string | undefined): Format {
  const format = text === undefined ? 'table' : formats.find((one) => one === text)
  if (format === undefined) throw new UsageError(`--format must be ${formats.slice(0, -1).join(', ')} or ${formats.at(-1)}.`)
  return format
}

/** @throws UsageError that says what is wrong */
export function readCommand(args: readonly string[]): Command {
  const { words, options } = splitWords(args)
  const { endpoint, inPath } = findEndpoint(words)
  const query = endpoint.parameters.filter(({ place }) => place === 'query')
  const names = query.map(({ name }) => name)
  const isPaged = names.includes('cursor')
  const own = names.filter((name) => !handled.includes(name))
  const flags = [
    ...own.map(toFlag),
    ...(isPaged ? ['limit', 'all', 'cursor'] : []),
    ...(names.includes('fields') ? ['fields'] : []),
    'format',
    'max-credits',
    'idempotency-key',
    'url',
  ]
  const values = parseOptions(options, flags)
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined)
  for (const { name, isRequired } of query) if (isRequired && text(toFlag(name)) === undefined) throw new UsageError(`--${toFlag(name)} is required.`)
  const limit = whole('limit', text('limit'))
  if (values['all'] === true && limit !== undefined) throw new UsageError('Use either --all or --limit.')
  const inQuery = own.flatMap((name) => {
    const value = text(toFlag(name))
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    endpoint,
    input: { ...Object.fromEntries(inQuery), ...inPath },
    format: readFormat(text('format')),
    maxRows: values['all'] === true ? null : (limit ?? defaultRows),
    maxCredits: whole('max-credits', text('max-credits')),
    fields:
      text('fields')
        ?.split(',')
        .map((name) => name.trim()) ?? null,
    cursor: text('cursor'),
    idempotencyKey: readKey(text('idempotency-key')),
    url: text('url'),
  }
}
