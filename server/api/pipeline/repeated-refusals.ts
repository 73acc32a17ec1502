import { type Refusal, refuse } from '#server/api/contract/errors.ts'
import type { KeyRecord } from '#server/keys/key-record.ts'
import { type Outcome, type Stage, stages, verdicts } from '#server/metering/batch.ts'
import type { RefusedCalls } from '#server/metering/refused-calls.ts'
import type { Answer, Call } from './call.ts'
import { conclude } from './conclude.ts'
import { withinDeadline } from './deadline.ts'
import { type Decision, getStage } from './decision.ts'
import type { ResponseBuilder } from './response-builder.ts'

type Parts = { readonly responseBuilder: ResponseBuilder; readonly publicUrl: string; readonly refused?: RefusedCalls }

/** Placeholder for a call over a limit; the real refusal comes from the verdict. */
const overLimit = refuse('rate_limited', { retryAfter: 60 })

const limitVerdicts: ReadonlySet<number> = new Set([verdicts.minuteLimit, verdicts.dayLimit])

const stageOfCall = (early: Refusal | null): Stage => (early === null ? stages.limited : getStage({ refusal: early, isEarly: true }))

async function confirm(parts: Parts, refused: RefusedCalls, call: Call, requestId: string, facts: KeyRecord, early: Refusal | null): Promise<Answer | null> {
  const { responseBuilder, publicUrl } = parts
  const started = performance.now()
  const { keyId, keyVersion, accountId, accountVersion, serviceVersion } = facts
  const outcome = await withinDeadline(refused.confirm({ keyId, keyVersion, accountVersion, serviceVersion, stage: stageOfCall(early) }))
  if (outcome === null) return null
  const answer = conclude({ responseBuilder, publicUrl }, call, { kind: 'refused', refusal: early ?? overLimit, isEarly: true }, requestId, facts, outcome)
  const endpoint = call.route.endpoint?.no ?? 0
  refused.count({ accountId, keyId, endpoint, status: answer.status, tookMs: performance.now() - started, nowMs: outcome.now })
  return answer
}

/**
 * Refuses and counts a call of a key that was refused often in this minute. Returns null for all other keys; resolves to null if the admission statement
 * has to decide.
 */
export function refuseRepeated(parts: Parts, call: Call, requestId: string, facts: KeyRecord, early: Refusal | null): Promise<Answer | null> | null {
  const { refused } = parts
  if (!refused?.isRepeated(facts.keyId, stageOfCall(early), facts.limits.perMinute)) return null
  return confirm(parts, refused, call, requestId, facts, early)
}

/** Records a refusal that the admission statement decided. */
export function noteRefusal({ refused }: Parts, decision: Decision, facts: KeyRecord, outcome: Outcome): void {
  if (refused === undefined) return
  if (decision.kind === 'refused') refused.note(facts.keyId, getStage(decision), outcome)
  else if (limitVerdicts.has(outcome.verdict)) refused.note(facts.keyId, stages.limited, outcome)
}
