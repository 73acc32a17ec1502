import { z } from 'zod'
import { type ErrorCode, type ErrorExtra, errorCodes, errors, portalErrors } from '#server/api/contract/errors.ts'
import { planNames } from '#server/api/contract/plans.ts'
import { errorTexts } from '../error-texts.ts'
import { pascal } from './names.ts'

type Shape<Extra> = { readonly [Name in keyof Extra]-?: z.ZodType<Extra[Name]> }

const none = {}

/** The fields that each code adds, as shapes. What the type of the code says and what stands here have to agree, or this does not compile. */
const extraShapes: { readonly [Code in ErrorCode]: Shape<ErrorExtra[Code]> } = {
  invalid_request: none,
  missing_api_key: none,
  invalid_api_key: none,
  insufficient_credits: { required: z.int().min(0), balance: z.int(), topUp: z.url(), reason: z.enum(['spend_cap', 'max_credits', 'debt']).optional() },
  key_revoked: { reason: z.literal('expired').optional() },
  account_blocked: { reason: z.string().nullable() },
  insufficient_scope: { required: z.string() },
  ip_not_allowed: none,
  licence_reacceptance_required: none,
  email_not_verified: none,
  webhooks_not_enabled: none,
  sample_data_unavailable: none,
  endpoint_restricted: none,
  plan_upgrade_required: { requiredPlan: z.enum(planNames) },
  not_found: none,
  replay_unavailable: none,
  rate_limited: { retryAfter: z.int().min(1) },
  internal_error: none,
}

/** Codes that a call of the API can get. */
export const callErrors = errorCodes.filter((code) => !portalErrors.has(code))

function shapeOf(code: ErrorCode) {
  const words = errorTexts[code].fields as Readonly<Record<string, string>>
  const extra = Object.entries(extraShapes[code] as Readonly<Record<string, z.ZodType>>).map(([name, schema]) => [name, schema.describe(words[name] ?? '')])
  return z
    .object({
      error: z.literal(code).describe('Stable code of the error.'),
      message: z.string().describe('What to do next, for people.'),
      requestId: z
        .string()
        .regex(/^req_[0-9a-f]{32}$/)
        .describe('Request identifier, to quote to support.'),
      docs: z.url().describe('Page about this error.'),
      ...(Object.fromEntries(extra) as Record<never, z.ZodType>),
    })
    .describe(errors[code].when)
}

export type ErrorShape = ReturnType<typeof shapeOf>

export const errorShapes: ReadonlyMap<ErrorCode, ErrorShape> = new Map(callErrors.map((code) => [code, shapeOf(code)]))

/** `InsufficientCreditsError`; a code that ends in "error" does not say so twice. */
export const errorSchemaName = (code: ErrorCode): string => `${pascal(code).replace(/Error$/, '')}Error`
