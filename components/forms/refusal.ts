import { isTRPCClientError } from '@trpc/client'
import { type FieldFaults, FieldsError, type Proof } from '#server/api/contract/field-errors.ts'
import type { AppRouter } from '#server/trpc/root.ts'
import { unreachable } from './form-state.ts'

/** Returns the errors to show for a failed submission, and the proof of identity that is required. */
export function toRefusal(error: unknown): { faults: FieldFaults; proof: Proof | null } {
  if (error instanceof FieldsError) return { faults: error.faults, proof: null }
  if (!isTRPCClientError<AppRouter>(error)) throw error
  const { data } = error
  if (!data) return { faults: { form: unreachable }, proof: null }
  if (data.proof !== null) return { faults: {}, proof: data.proof }
  const reference = data.reference === null ? '' : ` Reference: ${data.reference}.`
  return { faults: data.fields ?? { form: `${error.message}${reference}` }, proof: null }
}
