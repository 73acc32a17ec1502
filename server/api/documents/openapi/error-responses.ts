import { z } from 'zod'
import type { ZodOpenApiExampleObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { type ErrorCode, errorCodes, errors, portalErrors } from '#server/api/contract/errors.ts'
import { errorAnswer, getFields } from '../error-texts.ts'
import type { PublishedValues } from '../published-values.ts'
import { type HeaderName, headersWith } from './headers.ts'
import { pascal } from './names.ts'

/** Error codes that an API call can return. */
const callErrors = errorCodes.filter((code) => !portalErrors.has(code))

function getShape(code: ErrorCode) {
  return z
    .object({
      error: z.literal(code).describe('Stable error code.'),
      message: z.string().describe('What went wrong and what to do next.'),
      requestId: z
        .string()
        .regex(/^req_[0-9a-f]{32}$/)
        .describe('Request ID. Include it when you contact support.'),
      docs: z.url().describe('Documentation of this error.'),
      ...(getFields(code) as Record<never, z.ZodType>),
    })
    .describe(errors[code].when)
}

type ErrorShape = ReturnType<typeof getShape>

export const errorShapes: ReadonlyMap<ErrorCode, ErrorShape> = new Map(callErrors.map((code) => [code, getShape(code)]))

/** Returns the schema name for an error code, such as `InsufficientCreditsError`, without repeating "Error". */
export const errorSchemaName = (code: ErrorCode): string => `${pascal(code).replace(/Error$/, '')}Error`

type Status = (typeof errors)[ErrorCode]['status']

const responseNames = {
  400: 'BadRequest',
  401: 'Unauthorised',
  402: 'PaymentRequired',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  429: 'TooManyRequests',
  500: 'ServerError',
} as const satisfies Record<Status, string>

const moreHeaders: Partial<Record<Status, readonly HeaderName[]>> = { 401: ['WWW-Authenticate'], 404: ['Allow'], 409: ['ETag'], 429: ['Retry-After'] }

const statuses = Object.keys(responseNames).map(Number) as Status[]

const getCodes = (status: Status) => callErrors.filter((code) => errors[code].status === status)

function example(code: ErrorCode, publicUrl: string): ZodOpenApiExampleObject {
  return { summary: errors[code].when, value: errorAnswer(code, publicUrl) }
}

function getSchema(codes: readonly ErrorCode[]): z.ZodType {
  const [first, ...others] = codes.flatMap((code) => errorShapes.get(code) ?? [])
  if (first === undefined) throw new Error('No error code is defined for this status.')
  return others.length === 0 ? first : z.discriminatedUnion('error', [first, ...others] as [ErrorShape, ...ErrorShape[]])
}

function response(status: Status, publicUrl: string): ZodOpenApiResponseObject {
  const codes = getCodes(status)
  const meanings = codes.map((code) => `\`${code}\`: ${errors[code].when}`)
  return {
    description: `${meanings.join(' ')} Nothing is charged.`,
    headers: headersWith(...(moreHeaders[status] ?? [])),
    content: {
      'application/json': { schema: getSchema(codes), examples: Object.fromEntries(codes.map((code) => [code, example(code, publicUrl)])) },
    },
  }
}

/** Returns one response per error status, with all codes that an API call can return with that status. */
export function errorResponses({ publicUrl }: PublishedValues): Record<string, ZodOpenApiResponseObject> {
  return Object.fromEntries(statuses.map((status) => [responseNames[status], response(status, publicUrl)]))
}

/** Returns references to the error responses of an operation. Free calls are never rejected for lack of credits, and never replayed. */
export function errorReferences(isFree: boolean): Record<`${Status}`, { $ref: string }> {
  const some = statuses.filter((status) => !(isFree && (status === 402 || status === 409)))
  return Object.fromEntries(some.map((status) => [String(status), { $ref: `#/components/responses/${responseNames[status]}` }])) as Record<
    `${Status}`,
    { $ref: string }
  >
}
