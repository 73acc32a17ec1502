import { z } from 'zod'
import { type ErrorCode, type ErrorExtra, errorCodes, errors, portalErrors } from '#server/api/contract/errors.ts'
import { planNames } from '#server/api/contract/plans.ts'
import { errorTexts } from '../error-texts.ts'
import { pascal } from './names.ts'

type Shape<Extra> = { readonly [Name in keyof Extra]-?: z.ZodType<Extra[Name]> }

const none = {}

/** Schemas of the extra fields of each code. Type-checked against `ErrorExtra`. */
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

/** Codes that an API call can get. */
export const callErrors = errorCodes.filter((code) => !portalErrors.has(code))

function getShape(code: ErrorCode) {
  const descriptions = errorTexts[code].fields as Readonly<Record<string, string>>
  const extra = Object.entries(extraShapes[code] as Readonly<Record<string, z.ZodType>>).map(([name, schema]) => [
    name,
    schema.describe(descriptions[name] ?? ''),
  ])
  return z
    .object({
      error: z.literal(code).describe('Stable error code.'),
      message: z.string().describe('What to do next, human-readable.'),
      requestId: z
        .string()
        .regex(/^req_[0-9a-f]{32}$/)
        .describe('Request id. Include it when you contact support.'),
      docs: z.url().describe('Documentation of this error.'),
      ...(Object.fromEntries(extra) as Record<never, z.ZodType>),
    })
    .describe(errors[code].when)
}

export type ErrorShape = ReturnType<typeof getShape>

export const errorShapes: ReadonlyMap<ErrorCode, ErrorShape> = new Map(callErrors.map((code) => [code, getShape(code)]))

/** Returns a name such as `InsufficientCreditsError`, without doubling "Error". */
export const errorSchemaName = (code: ErrorCode): string => `${pascal(code).replace(/Error$/, '')}Error`
