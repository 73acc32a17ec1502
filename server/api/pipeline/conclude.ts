import type { KeyRecord } from '#server/keys/key-record.ts'
import { type Outcome, verdicts } from '#server/metering/batch.ts'
import type { RequestDetails } from '#server/metering/request-details.ts'
import type { Answer, Call } from './call.ts'
import type { Decision } from './decision.ts'
import { getWindow } from './headers.ts'
import type { ResponseBuilder, ResponseContext } from './response-builder.ts'
import { refusalOfVerdict } from './verdict.ts'

type Parts = { readonly responseBuilder: ResponseBuilder; readonly publicUrl: string; readonly notes?: RequestDetails | undefined }

/** Adds the last known limits to an outcome that was found in the request log, which doesn't store limits. */
function withLimits(outcome: Outcome, facts: KeyRecord): Outcome {
  if (outcome.minuteLimit > 0) {
    facts.seen.minuteLeft = outcome.minuteLeft
    facts.seen.dayLeft = outcome.dayLeft
    return outcome
  }
  return { ...outcome, minuteLimit: facts.limits.perMinute, dayLimit: facts.limits.perDay, ...facts.seen }
}

/** Builds the response with the page that was paid for: the current one or, for some replays, the stored page of the first call. */
function pageAnswer(
  responseBuilder: ResponseBuilder,
  context: ResponseContext,
  decision: Extract<Decision, { kind: 'page' }>,
  { mode }: KeyRecord,
  outcome: Outcome,
): Answer {
  const { endpoint, reading, isShared, kept } = decision
  const isReplayOfKept = outcome.verdict === verdicts.replayOfKept
  const page = (isReplayOfKept && kept) || decision.page
  const list = endpoint.kind === 'list' ? { limit: reading.limit, binding: `${mode} ${reading.binding}` } : null
  // A page with a price per request is one unit, regardless of its number of rows.
  const rows = endpoint.price.per === 'row' ? outcome.units : (page.rows?.length ?? 1)
  return responseBuilder.page(context, page, list, rows, isShared, isReplayOfKept || outcome.verdict === verdicts.replay)
}

/** Builds the response of a decided call. `notes` is passed for calls that are rows in the request log. */
export function conclude(
  { responseBuilder, publicUrl, notes }: Parts,
  call: Call,
  decision: Decision,
  requestId: string,
  facts: KeyRecord,
  outcome: Outcome,
): Answer {
  const isLimited = outcome.verdict === verdicts.dayLimit
  const context: ResponseContext = {
    requestId,
    isTest: facts.mode === 'test',
    balance: outcome.balance,
    credits: outcome.credits,
    window: getWindow(withLimits(outcome, facts), facts.mode, isLimited),
  }
  const price = decision.kind === 'page' ? decision.endpoint.price : { credits: 0, per: 'request' as const }
  const ceiling = decision.kind === 'page' ? decision.spending.ceiling : null
  const refusal = refusalOfVerdict(outcome, price, ceiling, publicUrl) ?? (decision.kind === 'refused' ? decision.refusal : null)
  notes?.add({ id: requestId, accountId: facts.accountId, target: call.route.target, headers: call.headers, message: refusal?.message ?? null })
  if (refusal) return responseBuilder.refused(context, refusal)
  if (decision.kind === 'unchanged') return responseBuilder.notModified(context, decision.tag)
  if (decision.kind !== 'page') throw new Error('Unreachable: refused decision without a refusal.')
  return pageAnswer(responseBuilder, context, decision, facts, outcome)
}
