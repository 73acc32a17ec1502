import type { z } from 'zod'
import { invalid } from '#server/api/contract/errors.ts'
import { suggestion } from '#server/api/contract/nearest.ts'
import { maxBodyBytes } from '#server/api/contract/request-bounds.ts'
import type { Call, PipelineEndpoint } from './call.ts'

const isJson = (type: unknown): boolean => typeof type === 'string' && /^application\/json *(?:;|$)/i.test(type.trim())

const isPlain = (encoding: unknown): boolean => encoding === undefined || (typeof encoding === 'string' && /^identity$/i.test(encoding.trim()))

function parse(text: string): unknown {
  try {
    return JSON.parse(text, (_name, value: unknown) => {
      if (typeof value !== 'string') return value
      if (value.includes('\0')) throw invalid("Text in the body can't contain NUL characters.")
      if (!value.isWellFormed()) throw invalid('Text in the body must be valid Unicode.')
      return value
    })
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid('The body is not valid JSON.')
    // The stack is too small for thousands of nested values.
    if (error instanceof RangeError) throw invalid('The body is nested too deeply.')
    throw error
  }
}

/** Formats the place of an issue in the body: `types[0]`. */
const toPlace = (path: readonly PropertyKey[]): string =>
  path.map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : '.'}${String(part)}`)).join('')

function describeIssue(issue: z.core.$ZodIssue, known: readonly string[], isMissing: boolean): string {
  if (issue.code === 'unrecognized_keys') {
    const [name = ''] = issue.keys
    return `Unknown field "${name.slice(0, 60)}" in the body.${suggestion(name, known)} Valid fields: ${known.join(', ')}.`
  }
  const place = toPlace(issue.path)
  if (place === '') return 'The body must be a JSON object.'
  if (isMissing) return `"${place}" is missing in the body.`
  if (issue.code === 'invalid_value') return `"${place}" in the body must be one of: ${issue.values.map(String).join(', ')}.`
  return `"${place}" in the body: ${issue.message}`
}

/** Returns the body of a call, parsed and validated; an empty object if the endpoint takes none. @throws RefusedError (400) that names the field */
export async function readActionBody(call: Pick<Call, 'headers' | 'body'>, { body: schema }: PipelineEndpoint): Promise<object> {
  if (schema === null) return {}
  if (!isPlain(call.headers['content-encoding'])) throw invalid('Send the body uncompressed, without Content-Encoding.')
  if (!isJson(call.headers['content-type'])) throw invalid('Send the body as JSON, with "Content-Type: application/json".')
  const text = await call.body?.()
  if (text === null) throw invalid(`The body must not exceed ${maxBodyBytes} bytes.`)
  const given = parse(text ?? '')
  const parsed = schema.strict().safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const name = issue?.path[0]
  const isMissing = issue?.path.length === 1 && typeof given === 'object' && given !== null && typeof name === 'string' && !Object.hasOwn(given, name)
  throw invalid(issue ? describeIssue(issue, Object.keys(schema.shape), isMissing) : 'The body is not valid.')
}
