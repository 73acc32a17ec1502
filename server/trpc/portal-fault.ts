import type { TRPCError } from '@trpc/server'
import { ZodError } from 'zod'
import { AccountError } from '#server/accounts/change-account.ts'
import { AccessError } from '#server/accounts/permissions.ts'
import { ThrottledError } from '#server/accounts/throttle.ts'
import { ViewAsError } from '#server/admin/view-as/view-as.ts'
import { type ErrorCode, errors, RefusedError } from '#server/api/contract/errors.ts'
import type { Proof } from '#server/api/contract/field-errors.ts'
import { type FieldFaults, FieldsError } from '#server/api/contract/field-errors.ts'
import { ReauthenticationError } from '#server/auth/reauthentication.ts'
import { SignedOutError } from '#server/auth/sessions.ts'
import { KeyRequestError } from '#server/keys/keys.ts'

type TrpcCode = TRPCError['code']

/** Internal error. Its cause is logged with the reference, and never shown to the user. */
export class FailureError extends Error {
  override name = 'FailureError'
  readonly reference: string

  constructor(reference: string, cause: unknown) {
    super('There is a problem with the service. Nothing was charged.', { cause })
    this.reference = reference
  }
}

/** Machine-readable details of a portal error. */
export type PortalFault = {
  /** API error code; null for portal-only errors such as a missing session. */
  readonly error: ErrorCode | null
  /** Additional fields that the error code defines, such as `reason`. */
  readonly extra: Readonly<Record<string, unknown>>
  /** Error messages by form field. */
  readonly fields: FieldFaults | null
  /** Log reference of an internal error; null otherwise. */
  readonly reference: string | null
  /** Kind of re-authentication required; null if none is needed. */
  readonly proof: Proof | null
}

const trpcCodes = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  402: 'PAYMENT_REQUIRED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
} as const satisfies Record<(typeof errors)[ErrorCode]['status'], TrpcCode>

/** Returns true for errors whose message tells the user why the request can't be fulfilled. */
const isRequestError = (cause: Error): boolean => cause instanceof KeyRequestError || cause instanceof AccountError

/** Returns the error that a procedure threw, without tRPC's wrapper. */
export function getCause(error: Error): Error {
  return error.name === 'TRPCError' && error.cause instanceof Error ? error.cause : error
}

/** Returns the message of an error to show to the user. Without the API error code, which is a separate field. */
export function getShownMessage(error: Error): string {
  const cause = getCause(error)
  return cause instanceof RefusedError ? cause.refusal.message : error.message
}

/** Returns the tRPC code of an expected error; null for unexpected ones. */
export function getCode(cause: Error): TrpcCode | null {
  if (cause instanceof RefusedError) return trpcCodes[errors[cause.refusal.code].status]
  if (cause instanceof ThrottledError) return 'TOO_MANY_REQUESTS'
  if (cause instanceof SignedOutError) return 'UNAUTHORIZED'
  if (cause instanceof ViewAsError || cause instanceof AccessError || cause instanceof ReauthenticationError) return 'FORBIDDEN'
  return cause instanceof FieldsError || isRequestError(cause) ? 'BAD_REQUEST' : null
}

/** Returns the first validation error for each field. */
function toFieldFaults(error: ZodError): FieldFaults {
  const faults: Record<string, string> = {}
  for (const { path, message } of error.issues) faults[String(path[0] ?? 'form')] ??= message
  return faults
}

export function portalFault(error: Error): PortalFault {
  const cause = getCause(error)
  return {
    ...toRefusal(cause),
    reference: cause instanceof FailureError ? cause.reference : null,
    proof: cause instanceof ReauthenticationError ? cause.proof : null,
  }
}

function toRefusal(cause: Error): Omit<PortalFault, 'reference' | 'proof'> {
  if (cause instanceof RefusedError) return { error: cause.refusal.code, extra: cause.refusal.extra, fields: null }
  if (cause instanceof ThrottledError) return { error: 'rate_limited', extra: { retryAfter: cause.waitSeconds }, fields: null }
  if (cause instanceof FieldsError) return { error: 'invalid_request', extra: {}, fields: cause.faults }
  if (isRequestError(cause)) return { error: 'invalid_request', extra: {}, fields: { form: cause.message } }
  if (cause instanceof ViewAsError || cause instanceof AccessError) return { error: null, extra: {}, fields: { form: cause.message } }
  if (cause instanceof ZodError) return { error: 'invalid_request', extra: {}, fields: toFieldFaults(cause) }
  return { error: null, extra: {}, fields: null }
}
