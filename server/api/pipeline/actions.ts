import { hash } from 'node:crypto'
import { errors, invalid, type Refusal, RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { listFormats } from '#server/api/contract/list-formats.ts'
import type { OwnAccount } from '#server/api/contract/own-account.ts'
import { publicRequestId } from '#server/ids.ts'
import type { KeyRecord, KeyRecordCache } from '#server/keys/key-record.ts'
import type { ActionResult } from '#server/metering/action-replays.ts'
import type { Admission } from '#server/metering/admission.ts'
import { type Outcome, stages, verdicts } from '#server/metering/batch.ts'
import type { Log } from '#server/observability/log.ts'
import { readActionBody } from './action-body.ts'
import { presentedBy } from './authenticate.ts'
import type { Call, PipelineEndpoint, Reading } from './call.ts'
import { withinDeadline } from './deadline.ts'
import type { Decision } from './decision.ts'
import { noFiles } from './file-content.ts'
import type { PageBuilder, PageOrder } from './page-builder.ts'
import { readSpending, type Spending } from './spending-headers.ts'

/** Runs an action at most once per Idempotency-Key. The account data passed to `work` is read and changed in one transaction. */
export type RunOnce = (
  keyRecord: KeyRecord,
  address: string | null,
  idempotency: NonNullable<Spending['idempotency']>,
  work: (own: OwnAccount) => Promise<unknown>,
) => Promise<ActionResult>

type Parts = {
  readonly admission: Pick<Admission, 'admit'>
  readonly keys: KeyRecordCache
  readonly runOnce: RunOnce
  readonly log: Log
}

/** Timeout of an action, in milliseconds. It may wait for a lock longer than a read does. */
const actionTimeoutMs = 15_000

/** Time after which an action can no longer commit. Shorter than its timeout, so that no change is made after the call got an error. */
export const actionCommitMs = 12_000

/** Maximum attempts to log an action whose key or service state changed in the meantime. */
const maxLogAttempts = 4

export type ActionDecision = Extract<Decision, { kind: 'action' }>

/** Returns true if a call to an endpoint changes the caller's account. */
export const isAction = ({ method }: Pick<PipelineEndpoint, 'method'>): boolean => method !== 'GET'

/** Reads the body and the headers of an action, without running it. @throws RefusedError (400) */
export async function readAction(call: Call, endpoint: PipelineEndpoint, reading: Reading): Promise<ActionDecision> {
  const { ceiling, idempotency }: Spending = readSpending(call.headers, reading, listFormats.json)
  const body = await readActionBody(call, endpoint)
  const input = { ...reading.input, body }
  const request = hash('sha256', `${reading.key}\0${JSON.stringify(body)}`, 'hex')
  return { kind: 'action', endpoint, reading: { ...reading, input }, spending: { ceiling, idempotency: idempotency && { ...idempotency, request } } }
}

const refused = (refusal: Refusal): Decision => ({ kind: 'refused', refusal, isEarly: false })

/** Formats the messages of a form's fields for a caller of the API. */
function fieldsRefusal({ faults }: FieldsError): RefusedError {
  return invalid(
    Object.entries(faults)
      .map(([field, message]) => (field === 'form' ? message : `"${field}": ${message}`))
      .join(' '),
  )
}

/**
 * Runs actions. The admission statement first counts the call towards the limits and compares the versions, without logging it, so that no action runs for a
 * revoked key or over a limit. Then the action runs, and a second statement logs the call with its status.
 */
export class Actions {
  private readonly parts: Parts
  private readonly pages: PageBuilder

  constructor(parts: Parts, pages: PageBuilder) {
    this.parts = parts
    this.pages = pages
  }

  /** Runs an admitted action and logs the call. Returns the decision on the response, and the outcome to build it with. */
  async run(decision: ActionDecision, call: Call, order: Omit<PageOrder, 'endpoint' | 'reading' | 'format'>, outcome: Outcome) {
    const { done, isReplay } = await this.perform(decision, order)
    await this.log(done, call, order)
    return { decision: done, outcome: isReplay ? { ...outcome, verdict: verdicts.replay } : outcome }
  }

  private async perform({ endpoint, reading, spending }: ActionDecision, order: Omit<PageOrder, 'endpoint' | 'reading' | 'format'>) {
    const { idempotency } = spending
    let isReplay = false
    const read: PipelineEndpoint['read'] = async (input, page, context) => {
      if (idempotency === null) return rejectFields(() => endpoint.read(input, page, context))
      const work = (own: OwnAccount) => rejectFields(() => endpoint.read(input, page, { ...context, own: () => own }))
      const result = await this.parts.runOnce(order.keyRecord, order.address, idempotency, work)
      isReplay = result.isReplay
      return result.data
    }
    try {
      const built = this.pages.build({ ...order, endpoint: { ...endpoint, read }, reading, format: listFormats.json })
      const { page } = await withinDeadline(built, actionTimeoutMs)
      return { done: { kind: 'page', endpoint, reading, page, isShared: false, spending, kept: null, contents: noFiles } satisfies Decision, isReplay }
    } catch (error) {
      if (error instanceof RefusedError) return { done: refused(error.refusal), isReplay }
      this.parts.log.error({ err: error, requestId: publicRequestId(order.requestId) }, 'An action failed.')
      return { done: refused(refuse('internal_error')), isReplay }
    }
  }

  /** Logs the call without counting it again. The action has already run, so a failure to log it is only reported. */
  private async log(done: Decision, call: Call, { requestId, keyRecord }: Pick<PageOrder, 'requestId' | 'keyRecord'>): Promise<void> {
    const error = done.kind === 'refused' ? errors[done.refusal.code] : null
    const presented = presentedBy(call)
    let current: KeyRecord | null = keyRecord
    for (let attempt = 0; attempt < maxLogAttempts && current !== null; attempt++) {
      const { accountId, accountVersion, keyId, keyVersion, capId, shard, mode, serviceVersion } = current
      const outcome = await this.parts.admission.admit({
        ...{ id: requestId, serviceVersion, accountId, accountVersion, keyId, keyVersion, capId, shard, isLive: mode === 'live' },
        ...{ endpoint: call.route.endpoint?.no ?? 0, status: error?.status ?? 200, error: error?.no ?? 0, stage: stages.uncounted },
        ...{ price: 0, units: 0, ceiling: null, idempotency: null },
      })
      if (outcome?.verdict === verdicts.granted) return
      current = outcome === null || 'refusal' in presented ? null : await this.parts.keys.load(presented.hash)
    }
    this.parts.log.warn({ requestId: publicRequestId(requestId) }, 'An action could not be logged.')
  }
}

/** Runs `work`, and rejects the call if a field is invalid. */
async function rejectFields(work: () => unknown): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof FieldsError ? fieldsRefusal(error) : error
  }
}
