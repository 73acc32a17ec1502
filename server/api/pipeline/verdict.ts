import { type Refusal, refuse } from '#server/api/contract/errors.ts'
import { nextMonthsFirst } from '#server/api/contract/months.ts'
import type { Price } from '#server/api/contract/prices.ts'
import { type Outcome, verdicts } from '#server/metering/batch.ts'

const secondsTo = (now: number, windowMs: number) => Math.ceil((windowMs - (now % windowMs)) / 1000)

function limited(outcome: Outcome): Refusal {
  const isDay = outcome.verdict === verdicts.dayLimit
  const retryAfter = secondsTo(outcome.now, isDay ? 86_400_000 : 60_000)
  const limit = isDay ? `${outcome.dayLimit} requests per day for this account` : `${outcome.minuteLimit} requests per minute for this key`
  return refuse('rate_limited', { retryAfter }, `The limit of ${limit} is reached. Retry in ${retryAfter} seconds.`)
}

function formatCredits(credits: number): string {
  return credits === 1 ? '1 credit' : `${credits} credits`
}

function unaffordable(outcome: Outcome, price: Price, ceiling: number | null, publicUrl: string): Refusal {
  const facts = { required: price.credits, balance: outcome.balance, topUp: `${publicUrl}/portal/billing/top-up` }
  const needed = price.per === 'row' ? `One row costs ${formatCredits(price.credits)}` : `This call costs ${formatCredits(price.credits)}`
  if (outcome.verdict === verdicts.spendCap || outcome.verdict === verdicts.accountCap) {
    const whose = outcome.verdict === verdicts.spendCap ? 'key' : 'account'
    const until = nextMonthsFirst(outcome.now)
    return refuse(
      'insufficient_credits',
      { ...facts, reason: 'spend_cap' },
      `${needed}, which is more than this ${whose} may still spend before ${until} (UTC). Raise the cap in the portal, or wait until then.`,
    )
  }
  if (outcome.verdict === verdicts.ceiling) {
    return refuse(
      'insufficient_credits',
      { ...facts, reason: 'max_credits' },
      `${needed}, which is more than your X-SVC-Max-Credits of ${ceiling ?? 0}. Raise the header to make this call.`,
    )
  }
  if (outcome.balance < 0) {
    const text = `${needed}, and your balance is ${outcome.balance} after a refund or dispute. Top up by more than that to continue. Nothing was charged.`
    return refuse('insufficient_credits', { ...facts, reason: 'debt' }, text)
  }
  return refuse('insufficient_credits', facts, `${needed}, and your balance is ${outcome.balance}. Top up to continue. Nothing was charged.`)
}

/** Returns the refusal for the verdict of the admission statement, or null if the call was granted. */
export function refusalOfVerdict(outcome: Outcome, price: Price, ceiling: number | null, publicUrl: string): Refusal | null {
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
