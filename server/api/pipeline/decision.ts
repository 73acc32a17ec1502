/** Decision about a call before it is charged, and the resulting input for the admission statement. */

import { type ErrorCode, errors, type Refusal } from '#server/api/contract/errors.ts'
import type { ListFormat } from '#server/api/contract/list-formats.ts'
import type { KeyRecord } from '#server/keys/key-record.ts'
import { type AdmissionRequest, type Idempotency, type Stage, stages } from '#server/metering/batch.ts'
import type { BuiltPage, Call, PipelineEndpoint, Reading } from './call.ts'
import type { ConfigSnapshot } from './config-snapshot.ts'
import type { FileContents } from './file-content.ts'
import type { Spending } from './spending-headers.ts'

/** Response prepared before admission: an error, a page, a 304 or the headers of a page; or an action. Sent only if the admission statement admits the call. */
export type Decision =
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly isEarly: boolean }
  | {
      readonly kind: 'page'
      readonly endpoint: PipelineEndpoint
      readonly reading: Reading
      readonly page: BuiltPage
      readonly isShared: boolean
      readonly spending: Spending
      /** Stored page of an earlier call with the same Idempotency-Key, if that page differs from `page`; else null. */
      readonly kept: BuiltPage | null
      /** Content of `page` and `kept`, if they are files. */
      readonly contents: FileContents
    }
  | { readonly kind: 'unchanged'; readonly tag: string }
  /** Action that runs once the admission statement has admitted the call. */
  | { readonly kind: 'action'; readonly endpoint: PipelineEndpoint; readonly reading: Reading; readonly spending: Spending }
  /** HEAD of a page that costs credits. It gets only the headers that don't depend on the data. */
  | { readonly kind: 'head'; readonly format: ListFormat }

/** Variants of a page. The content depends on the mode, and the logos on the plan. */
export const variants = { test: 0, live: 1, liveWithLogos: 2 }

export function getVariant(keyRecord: KeyRecord): number {
  if (keyRecord.mode === 'test') return variants.test
  return keyRecord.plan === 'enterprise' ? variants.liveWithLogos : variants.live
}

/** Returns the number of units to charge: the number of rows if the price is per row, else 1. */
function getUnits(endpoint: PipelineEndpoint, page: BuiltPage): number {
  return endpoint.price.per === 'row' ? (page.rows?.length ?? 0) : 1
}

/** Errors for calls that might come from someone other than the key's owner. These calls must not use up the owner's limits. */
const uncounted = new Set<ErrorCode>(['key_revoked', 'account_blocked', 'ip_not_allowed'])

/** Classifies a rejected call: subject to the limits, only counted towards them, or neither. */
export function getStage({ refusal, isEarly }: Pick<Extract<Decision, { kind: 'refused' }>, 'refusal' | 'isEarly'>): Stage {
  if (!isEarly) return stages.limited
  return uncounted.has(refusal.code) ? stages.uncounted : stages.counted
}

const plainTag = ({ tag }: BuiltPage) => tag.slice('W/"'.length)

function getIdempotency({ spending, page, kept }: Extract<Decision, { kind: 'page' }>): Idempotency | null {
  return spending.idempotency && { ...spending.idempotency, tag: plainTag(page), ...(kept && { keptTag: plainTag(kept) }) }
}

/** Returns the status of the response if the call is admitted; null if it isn't known yet. */
function getStatus(decision: Decision): number | null {
  if (decision.kind === 'action') return null
  if (decision.kind === 'refused') return errors[decision.refusal.code].status
  return decision.kind === 'unchanged' ? 304 : 200
}

/** Builds the input of the admission statement. The price is 0 for test keys and for every response other than a page. */
export function admissionRequest(decision: Decision, call: Call, id: string, keyRecord: KeyRecord, shared: ConfigSnapshot): AdmissionRequest {
  const isRefused = decision.kind === 'refused'
  const isLive = keyRecord.mode === 'live'
  const isPaid = decision.kind === 'page' && isLive
  return {
    id,
    serviceVersion: shared.version,
    accountId: keyRecord.accountId,
    accountVersion: keyRecord.accountVersion,
    keyId: keyRecord.keyId,
    keyVersion: keyRecord.keyVersion,
    isLive,
    capId: keyRecord.capId,
    shard: keyRecord.shard,
    endpoint: call.route.endpoint?.no ?? 0,
    status: getStatus(decision),
    error: isRefused ? errors[decision.refusal.code].no : 0,
    stage: isRefused ? getStage(decision) : stages.limited,
    price: isPaid ? decision.endpoint.price.credits : 0,
    units: decision.kind === 'page' ? getUnits(decision.endpoint, decision.page) : 0,
    ceiling: isPaid ? decision.spending.ceiling : null,
    idempotency: isPaid ? getIdempotency(decision) : null,
  }
}
