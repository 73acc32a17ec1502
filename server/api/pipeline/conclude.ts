import { type Refusal, refuse } from '#server/api/contract/errors.ts'
import { nextMonthsFirst } from '#server/api/contract/formats.ts'
import type { Price } from '#server/api/contract/price-kinds.ts'
import type { KeyRecord } from '#server/keys/key-record.ts'
import { type Outcome, type Stage, stages, verdicts } from '#server/metering/batch.ts'
import type { RefusedCalls } from '#server/metering/refused-calls.ts'
import type { RequestDetails } from '#server/metering/request-details.ts'
import type { Answer, Call } from './call.ts'
import { withinDeadline } from './deadline.ts'
import { type Decision, getStage } from './decision.ts'
import { getWindow, secondsLeft } from './rate-windows.ts'
import type { ResponseBuilder, ResponseContext } from './response-builder.ts'

function limited(outcome: Outcome): Refusal {
  const isDay = outcome.verdict === verdicts.dayLimit
  const retryAfter = secondsLeft(outcome.now, isDay ? 86_400_000 : 60_000)
  const limit = isDay ? `${outcome.dayLimit} requests per day for this account` : `${outcome.minuteLimit} requests per minute for this key`
  return refuse('rate_limited', { retryAfter }, `The limit of ${limit} is reached. Retry in ${retryAfter} seconds.`)
}

function formatCredits(credits: number): string {
  return credits === 1 ? '1 credit' : `${credits} credits`
}

function unaffordable(outcome: Outcome, price: Price, ceiling: number | null, publicUrl: string): Refusal {
  const extra = { required: price.credits, balance: outcome.balance, topUp: `${publicUrl}/portal/billing/top-up` }
  const needed = price.per === 'row' ? `One row costs ${formatCredits(price.credits)}` : `This call costs ${formatCredits(price.credits)}`
  if (outcome.verdict === verdicts.spendCap || outcome.verdict === verdicts.accountCap) {
    const whose = outcome.verdict === verdicts.spendCap ? 'key' : 'account'
    const until = nextMonthsFirst(outcome.now)
    return refuse(
      'insufficient_credits',
      { ...extra, reason: 'spend_cap' },
      `${needed}, which is more than this ${whose} may still spend before ${until} (UTC). Raise the cap of the ${whose} in the portal, or wait until then.`,
    )
  }
  if (outcome.verdict === verdicts.ceiling) {
    return refuse(
      'insufficient_credits',
      { ...extra, reason: 'max_credits' },
      `${needed}, which is more than your X-SVC-Max-Credits of ${ceiling ?? 0}. Increase X-SVC-Max-Credits to make this call.`,
    )
  }
  if (outcome.balance < 0) {
    const text = `${needed}, and your balance is ${outcome.balance} after a refund or dispute. Top up by more than that to continue. Nothing was charged.`
    return refuse('insufficient_credits', { ...extra, reason: 'debt' }, text)
  }
  return refuse('insufficient_credits', extra, `${needed}, and your balance is ${outcome.balance}. Top up to continue. Nothing was charged.`)
}

/** Returns the rejection for the verdict of the admission statement, or null if the call was admitted. */
function refusalOfVerdict(outcome: Outcome, price: Price, ceiling: number | null, publicUrl: string): Refusal | null {
  switch (outcome.verdict) {
    case verdicts.minuteLimit:
    case verdicts.dayLimit:
      return limited(outcome)
    case verdicts.insufficientCredits:
    case verdicts.spendCap:
    case verdicts.accountCap:
    case verdicts.ceiling:
      return unaffordable(outcome, price, ceiling, publicUrl)
    case verdicts.idempotencyConflict:
      return refuse('invalid_request', {}, 'This Idempotency-Key was used for a different request in the last 10 minutes. Use a new key for a new request.')
    case verdicts.replayUnavailable:
      return refuse('replay_unavailable', {}, undefined, ['ETag', `W/"${outcome.paidTag ?? ''}"`])
    default:
      return null
  }
}

type Parts = { readonly responseBuilder: ResponseBuilder; readonly publicUrl: string; readonly notes?: RequestDetails | undefined }

/** Caches the remaining request counts from an outcome. An outcome read from the request log contains no limits, so the cached values are used instead. */
function withLimits(outcome: Outcome, keyRecord: KeyRecord): Outcome {
  if (outcome.minuteLimit > 0) {
    keyRecord.seen.minuteLeft = outcome.minuteLeft
    keyRecord.seen.dayLeft = outcome.dayLeft
    return outcome
  }
  return { ...outcome, minuteLimit: keyRecord.limits.perMinute, dayLimit: keyRecord.limits.perDay, ...keyRecord.seen }
}

/** Builds the response with the page that was paid for: the current page or, for some replays, the stored page of the first call. */
function pageAnswer(
  responseBuilder: ResponseBuilder,
  context: ResponseContext,
  decision: Extract<Decision, { kind: 'page' }>,
  { mode }: KeyRecord,
  outcome: Outcome,
): Answer {
  const { endpoint, reading, isShared, kept, contents } = decision
  const isReplayOfKept = outcome.verdict === verdicts.replayOfKept
  const isReplay = isReplayOfKept || outcome.verdict === verdicts.replay
  const page = (isReplayOfKept && kept) || decision.page
  const content = page === kept ? contents.kept : contents.page
  if (content) return responseBuilder.file(context, page, content, isShared, isReplay)
  const list = endpoint.kind === 'list' ? { limit: reading.limit, binding: `${mode} ${reading.binding}`, nextTarget: reading.nextTarget } : null
  // A page that is priced per request counts as one unit, regardless of its number of rows.
  const rows = endpoint.price.per === 'row' ? outcome.units : (page.rows?.length ?? 1)
  const answer = responseBuilder.page(context, page, list, rows, isShared, isReplay)
  // A page about the caller hardly ever repeats, so its compressed form isn't worth keeping.
  return endpoint.shared ? answer : { ...answer, page: null }
}

/** Builds the response to a call and records the request details in `notes`. Calls without a row in the request log pass no `notes`. */
export function conclude(
  { responseBuilder, publicUrl, notes }: Parts,
  call: Call,
  decision: Decision,
  requestId: string,
  keyRecord: KeyRecord,
  outcome: Outcome,
): Answer {
  const isLimited = outcome.verdict === verdicts.dayLimit
  const context: ResponseContext = {
    requestId,
    isTest: keyRecord.mode === 'test',
    balance: outcome.balance,
    credits: outcome.credits,
    window: getWindow(withLimits(outcome, keyRecord), keyRecord.mode, isLimited),
  }
  const price = decision.kind === 'page' ? decision.endpoint.price : { credits: 0, per: 'request' as const }
  const ceiling = decision.kind === 'page' ? decision.spending.ceiling : null
  const refusal = refusalOfVerdict(outcome, price, ceiling, publicUrl) ?? (decision.kind === 'refused' ? decision.refusal : null)
  notes?.add({ id: requestId, accountId: keyRecord.accountId, target: call.route.target, headers: call.headers, message: refusal?.message ?? null })
  if (refusal) return responseBuilder.refused(context, refusal)
  if (decision.kind === 'unchanged') return responseBuilder.notModified(context, decision.tag)
  if (decision.kind === 'head') return responseBuilder.head(context, decision.format)
  if (decision.kind !== 'page') throw new Error('Unreachable: the call was rejected without an error.')
  return pageAnswer(responseBuilder, context, decision, keyRecord, outcome)
}

type RefusalParts = { readonly responseBuilder: ResponseBuilder; readonly publicUrl: string; readonly refused?: RefusedCalls }

/** Placeholder for the rejection of a call over a limit. `conclude` replaces it with the rejection for the verdict. */
const overLimit = refuse('rate_limited', { retryAfter: 60 })

const limitVerdicts: ReadonlySet<number> = new Set([verdicts.minuteLimit, verdicts.dayLimit])

const stageOfCall = (early: Refusal | null): Stage => (early === null ? stages.limited : getStage({ refusal: early, isEarly: true }))

async function confirm(
  parts: RefusalParts,
  refused: RefusedCalls,
  call: Call,
  requestId: string,
  keyRecord: KeyRecord,
  early: Refusal | null,
): Promise<Answer | null> {
  const { responseBuilder, publicUrl } = parts
  const started = performance.now()
  const { keyId, keyVersion, accountId, accountVersion, serviceVersion } = keyRecord
  const outcome = await withinDeadline(refused.confirm({ keyId, keyVersion, accountVersion, serviceVersion, stage: stageOfCall(early) }))
  if (outcome === null) return null
  const answer = conclude({ responseBuilder, publicUrl }, call, { kind: 'refused', refusal: early ?? overLimit, isEarly: true }, requestId, keyRecord, outcome)
  const endpoint = call.route.endpoint?.no ?? 0
  refused.count({ accountId, keyId, endpoint, status: answer.status, tookMs: performance.now() - started, nowMs: outcome.now })
  return answer
}

/**
 * Rejects and counts a call if its key has been rejected often in the current minute. Returns null (not a promise) for all other keys. The promise resolves to
 * null if the admission statement has to decide.
 */
export function refuseRepeated(parts: RefusalParts, call: Call, requestId: string, keyRecord: KeyRecord, early: Refusal | null): Promise<Answer | null> | null {
  const { refused } = parts
  if (!refused?.isRepeated(keyRecord.keyId, stageOfCall(early), keyRecord.limits.perMinute)) return null
  return confirm(parts, refused, call, requestId, keyRecord, early)
}

/** Records a rejected call, so that repeated rejections of the same key are detected. */
export function noteRefusal({ refused }: RefusalParts, decision: Decision, keyRecord: KeyRecord, outcome: Outcome): void {
  if (refused === undefined) return
  if (decision.kind === 'refused') refused.note(keyRecord.keyId, getStage(decision), outcome)
  else if (limitVerdicts.has(outcome.verdict)) refused.note(keyRecord.keyId, stages.limited, outcome)
}
