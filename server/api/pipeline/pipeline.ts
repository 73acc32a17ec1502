/**
 * Request pipeline. Order of the checks; the first that fails decides the error:
 * 1. key, account, address, licence, route, availability, plan, scope (`authenticate.ts`, `key-and-account-checks.ts`)
 * 2. rate limits
 * 3. parameters (`validate.ts`, `spending-headers.ts`), then the item (the endpoint's handler)
 * 4. balance, spend caps and the call's ceiling
 * The SQL function `admit` performs checks 2 and 4 in one statement, which also charges. It runs after check 3, and its errors override those of check 3.
 */

import type { AccountSummary } from '#server/api/contract/account-summary.ts'
import { errors, type Refusal, RefusedError, refuse } from '#server/api/contract/errors.ts'
import type { OwnAccount } from '#server/api/contract/own-account.ts'
import { clock } from '#server/clock.ts'
import { newRequestId, publicRequestId } from '#server/ids.ts'
import type { KeyRecord, KeyRecordCache } from '#server/keys/key-record.ts'
import type { KeyAudience } from '#server/keys/key-secret.ts'
import type { KeyUses } from '#server/keys/key-uses.ts'
import type { Admission } from '#server/metering/admission.ts'
import { verdicts } from '#server/metering/batch.ts'
import type { RefusedCalls } from '#server/metering/refused-calls.ts'
import type { RequestDetails } from '#server/metering/request-details.ts'
import type { Log } from '#server/observability/log.ts'
import { type CallRecord, callModes, calls, steps } from '#server/observability/telemetry/calls.ts'
import { getFormat } from './accept.ts'
import { Actions, isAction, type RunOnce, readAction } from './actions.ts'
import { findKey, presentedBy, UnauthenticatedLimits } from './authenticate.ts'
import type { Answer, Call, PipelineEndpoint, Reading } from './call.ts'
import { conclude, noteRefusal, refuseRepeated } from './conclude.ts'
import type { ConfigSnapshot, ConfigSnapshotHolder } from './config-snapshot.ts'
import { snapshotTimeoutMs, withinDeadline } from './deadline.ts'
import { admissionRequest, type Decision } from './decision.ts'
import { FailedCalls } from './failed-calls.ts'
import { readContents } from './file-content.ts'
import { getRefusal } from './key-and-account-checks.ts'
import { Visitors } from './metadata-requests.ts'
import type { Cursors, PageTags } from './page.ts'
import { unchangedTag } from './page.ts'
import { PageBuilder } from './page-builder.ts'
import { PaidPages } from './page-cache.ts'
import { getWindow } from './rate-windows.ts'
import type { ResponseBuilder } from './response-builder.ts'
import { readSpending } from './spending-headers.ts'
import { checkReserved, readParameters } from './validate.ts'

export type PipelineParts = {
  readonly keys: KeyRecordCache
  /** Audience of the accepted keys, `api` by default. Each audience needs a separate `keys` cache, because cached keys are not checked again. */
  readonly audience?: KeyAudience
  readonly shared: ConfigSnapshotHolder
  readonly admission: Pick<Admission, 'admit' | 'close' | 'connections' | 'depth' | 'writes'>
  readonly responseBuilder: ResponseBuilder
  readonly cursors: Cursors
  readonly tags: PageTags
  readonly publicUrl: string
  readonly log: Log
  /** Records when and from which address a key was used, for display in the portal. */
  readonly uses?: KeyUses
  /** Records the URL, headers and error message of a call, for display in the portal. */
  readonly notes?: RequestDetails
  /** Counters for keys that are rejected repeatedly. If absent, every rejected call gets a row in the request log. */
  readonly refused?: RefusedCalls
  /** Returns the credits that a live key can spend now. */
  readonly spendable: (keyRecord: KeyRecord) => Promise<number>
  readonly summarise: (keyRecord: KeyRecord, shared: ConfigSnapshot) => Promise<AccountSummary>
  /** Returns the account data that a call with this key may read. */
  readonly own: (keyRecord: KeyRecord, address: string | null) => OwnAccount
  readonly runOnce: RunOnce
}

/**
 * Maximum attempts to process a call. An attempt is repeated if the key or service state changed in the meantime; this many changes during one call would
 * indicate a bug.
 */
const maxAttempts = 8

/** Runs every check of a call and builds its response. Charging is the last step before the response is sent. */
export class Pipeline {
  private readonly parts: PipelineParts
  private readonly pages: PageBuilder
  private readonly actions: Actions
  private readonly paidPages = new PaidPages()
  private readonly unauthenticated: UnauthenticatedLimits
  private readonly failures: FailedCalls
  /** Handles metadata requests, such as listing the MCP tools. They don't count as calls. */
  readonly visitors: Visitors

  constructor(parts: PipelineParts) {
    this.parts = parts
    this.pages = new PageBuilder(parts)
    this.actions = new Actions(parts, this.pages)
    this.unauthenticated = new UnauthenticatedLimits(parts.responseBuilder)
    this.failures = new FailedCalls(parts.log)
    this.visitors = new Visitors({ ...parts, unauthenticated: this.unauthenticated })
  }

  async answer(call: Call): Promise<Answer> {
    const requestId = newRequestId()
    const record = call.record ?? calls.begin(call.headers['traceparent'])
    record.mark(steps.parse)
    let answer: Answer
    try {
      answer = await this.decide(call, requestId, record)
    } catch (error) {
      this.parts.log.error({ err: error, requestId: publicRequestId(requestId) }, 'Call failed.')
      answer = this.failed(requestId, null)
    }
    record.mark(steps.seal)
    record.answered(call.route, requestId, answer.status, answer.code === undefined ? 0 : errors[answer.code].no)
    if (call.record === undefined) calls.end(record)
    return answer
  }

  private async decide(call: Call, requestId: string, record: CallRecord): Promise<Answer> {
    const presented = presentedBy(call)
    if ('refusal' in presented) return this.unauthenticated.refuse(call.address, requestId, presented.refusal)
    let known: KeyRecord | undefined = this.parts.keys.peek(presented.hash)
    let now = clock.now()
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const keyRecord = known ?? (await withinDeadline(findKey(presented, this.parts.keys, this.parts.audience)))
      if ('refusal' in keyRecord) return this.unauthenticated.refuse(call.address, requestId, keyRecord.refusal)
      record.mark(steps.authenticate)
      record.mode = callModes[keyRecord.mode]
      const shared = this.parts.shared.current
      if (keyRecord.serviceVersion !== shared.version) {
        // The key record and the shared state have different versions, so they must not be combined.
        await this.catchUp(keyRecord.serviceVersion, keyRecord === known)
        known = undefined
        continue
      }
      const early = getRefusal(call, keyRecord, shared, now)
      const repeated = refuseRepeated(this.parts, call, requestId, keyRecord, early)
      const outcome = (repeated && (await repeated)) ?? (await this.admit(call, requestId, keyRecord, shared, early, now, record))
      if ('status' in outcome) return outcome
      await this.catchUp(outcome.serviceVersion)
      // The database's clock decides whether a key has expired. If it is ahead of this process's clock, the database's time is used from here on.
      now = Math.max(now, outcome.now)
      known = undefined
    }
    throw new Error('The key state changed too often during one call.')
  }

  /** Decides on a call and charges for it. Returns the response, or the outcome if the key has expired or the key or service state was stale. */
  private async admit(call: Call, requestId: string, keyRecord: KeyRecord, shared: ConfigSnapshot, early: Refusal | null, now: number, record: CallRecord) {
    const decision = await this.consider(call, requestId, keyRecord, shared, early, record)
    const outcome = await this.parts.admission.admit(admissionRequest(decision, call, requestId, keyRecord, shared), record.trace)
    record.mark(steps.admit)
    if (outcome === null) {
      this.failures.add(requestId)
      return this.failed(requestId, keyRecord)
    }
    if (outcome.verdict === verdicts.stale || outcome.verdict === verdicts.ended) return outcome
    this.parts.uses?.note(keyRecord.keyId, now, call.address)
    record.credits = outcome.credits
    noteRefusal(this.parts, decision, keyRecord, outcome)
    this.paidPages.note(decision, keyRecord.accountId, outcome)
    if (decision.kind !== 'action' || outcome.verdict !== verdicts.granted) return conclude(this.parts, call, decision, requestId, keyRecord, outcome)
    const done = await this.actions.run(decision, call, { requestId, address: call.address, keyRecord, shared }, outcome)
    return conclude(this.parts, call, done.decision, requestId, keyRecord, done.outcome)
  }

  /**
   * Refreshes the shared state if its version differs. The database's version can be lower: after a failover that lost changes, it counts from the last one it
   * has. A cached key record may just be old, so a lower version in it proves nothing.
   */
  private async catchUp(version: number, isCached = false): Promise<void> {
    const { current } = this.parts.shared
    const isOther = isCached ? version > current.version : version !== current.version
    if (isOther) await withinDeadline(this.parts.shared.refresh(), snapshotTimeoutMs)
  }

  /** Checks the call and builds its page, without charging. */
  private async consider(
    call: Call,
    requestId: string,
    keyRecord: KeyRecord,
    shared: ConfigSnapshot,
    early: Refusal | null,
    record: CallRecord,
  ): Promise<Decision> {
    const endpoint = call.route.endpoint
    if (early !== null || endpoint === null) return { kind: 'refused', refusal: early ?? refuse('not_found'), isEarly: true }
    const reading = this.read(endpoint, call)
    if ('refusal' in reading) return { kind: 'refused', refusal: reading.refusal, isEarly: false }
    record.mark(steps.check)
    try {
      if (isAction(endpoint)) return await readAction(call, endpoint, reading.value)
      const decision = await this.serve(call, endpoint, reading.value, requestId, keyRecord, shared)
      if (decision.kind === 'page') record.isShared = decision.isShared
      record.mark(steps.build)
      return decision
    } catch (error) {
      if (error instanceof RefusedError) return { kind: 'refused', refusal: error.refusal, isEarly: false }
      throw error
    }
  }

  private async serve(
    call: Call,
    endpoint: PipelineEndpoint,
    reading: Reading,
    requestId: string,
    keyRecord: KeyRecord,
    shared: ConfigSnapshot,
  ): Promise<Decision> {
    if (reading.reserved.length + reading.reservedParameters.length > 0) checkReserved(reading, keyRecord)
    const format = getFormat(endpoint, call.headers)
    const spending = readSpending(call.headers, reading, format)
    const order = { endpoint, reading, format, requestId, address: call.address, keyRecord, shared }
    const recent = this.pages.getRecent(order)
    const { page, isNew } = recent ? { page: recent, isNew: false } : await this.pages.get(order)
    const header = call.headers['if-none-match']
    if (header !== undefined) {
      const spendable = keyRecord.mode === 'live' ? () => this.parts.spendable(keyRecord) : null
      const tag = await unchangedTag({ header, ceiling: spending.ceiling, spendable }, page, endpoint)
      if (tag !== null) return { kind: 'unchanged', tag }
    }
    if (call.isHead && endpoint.price.credits > 0 && keyRecord.mode === 'live') return { kind: 'head', format }
    const paid = spending.idempotency && keyRecord.mode === 'live' ? this.paidPages.find(keyRecord.accountId, spending.idempotency) : null
    const kept = paid?.tag === page.tag ? null : paid
    return { kind: 'page', endpoint, reading, page, isShared: !isNew, spending, kept, contents: await readContents(page, kept, call.headers) }
  }

  /** Parses the parameters once per target; the result is the same for every caller. */
  private read(endpoint: PipelineEndpoint, call: Call): NonNullable<Call['route']['reading']> {
    if (!call.route.reading) {
      try {
        call.route.reading = { value: readParameters(endpoint, call.route) }
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error
        call.route.reading = { refusal: error.refusal }
      }
    }
    return call.route.reading
  }

  /** Returns the error response to a request that the HTTP server rejects, and counts the request towards the limit of its IP address. */
  malformed(address: string | null, message: string): Answer {
    return this.unauthenticated.refuse(address, newRequestId(), refuse('invalid_request', {}, message))
  }

  private failed(requestId: string, keyRecord: KeyRecord | null): Answer {
    const { perMinute: minuteLimit, perDay: dayLimit } = keyRecord?.limits ?? { perMinute: 60, perDay: 0 }
    const limits = { minuteLimit, dayLimit, now: clock.now(), ...(keyRecord?.seen ?? { minuteLeft: 0, dayLeft: 0 }) }
    return this.parts.responseBuilder.refused({ requestId, window: getWindow(limits, keyRecord?.mode ?? 'test', false) }, refuse('internal_error'))
  }
}
