import type { Availability } from '#server/api/contract/endpoint.ts'
import { type Refusal, refuse } from '#server/api/contract/errors.ts'
import { clock } from '#server/clock.ts'
import { newRequestId } from '#server/ids.ts'
import type { KeyFacts, KeyFactsCache } from '#server/keys/key-facts.ts'
import type { Log } from '#server/observability/log.ts'
import { findKey, readAuthorization } from './authenticate.ts'
import type { Answer, CallHeaders, GateEndpoint } from './call.ts'
import { withinDeadline } from './deadline.ts'
import { countWindow, limitHeaders } from './headers.ts'
import { MinuteCount, type MinuteWindow } from './minute-count.ts'
import { callerRefusal, standingRefusal } from './refusals.ts'
import type { Sealer } from './seal.ts'
import type { SharedFacts, SharedFactsHolder } from './shared-facts.ts'
import type { Strangers } from './strangers.ts'

/** Questions a minute that one key may ask beside its calls. A client asks about five when it connects. */
const perMinute = 600

/** What a key may do, told without a call. */
export type Standing = {
  readonly scopes: ReadonlySet<string>
  /** What an administrator set over the catalogue, by endpoint id. */
  readonly overrides: ReadonlyMap<string, Availability>
  /** Label of the newest version of the Data Licence. */
  readonly licence: string
  /** What a call of this endpoint would be refused for whatever it asks; null: it is callable. */
  readonly refusalOf: (endpoint: GateEndpoint) => Refusal | null
  /** Headers that tell how many questions the key may still ask. */
  readonly limits: readonly string[]
}

type Parts = { readonly keys: KeyFactsCache; readonly shared: SharedFactsHolder; readonly sealer: Sealer; readonly strangers: Strangers; readonly log: Log }

const mostAttempts = 8

/**
 * Callers who ask about the service instead of calling it, such as a tool client that wants the list of tools. They need a key in good standing.
 * Nothing is charged or logged, and no limit of theirs is used up: a count in this process keeps them within bounds.
 */
export class Visitors {
  private readonly parts: Parts
  private readonly questions = new MinuteCount(perMinute)

  constructor(parts: Parts) {
    this.parts = parts
  }

  /** The answer to a caller without a working key; null for all others. What is known of the key may be old: this is for who is going to make a call. */
  async refuseStranger(headers: CallHeaders, address: string | null): Promise<Answer | null> {
    if (this.seenBefore(headers)) return null
    const found = await this.guarded(() => this.find(headers, address))
    return 'status' in found ? found : null
  }

  /** What the key in the headers may do, from facts read anew, or the answer that refuses it. */
  async standing(headers: CallHeaders, address: string | null): Promise<Standing | Answer> {
    const seen = this.seenBefore(headers)
    // A key that is known is counted before anything is read: who asks too much keeps nobody busy.
    const early = seen && this.questions.count(seen.publicId)
    if (early?.isOver) return this.over(early)
    return this.guarded(async () => {
      const found = await this.find(headers, address)
      if ('status' in found) return found
      const { facts, shared } = found
      const counted = early ?? this.questions.count(facts.publicId)
      if (counted.isOver) return this.over(counted)
      const refusal = callerRefusal(facts, address, clock.now())
      if (refusal) return this.refused(refusal, counted)
      return {
        scopes: facts.scopes,
        overrides: shared.overrides,
        licence: shared.licence,
        refusalOf: (endpoint) => standingRefusal(endpoint, facts, shared),
        limits: limitHeaders(countWindow('questions', counted)),
      }
    })
  }

  /** The limit headers for whoever was refused before a key was looked at. */
  limitsByAddress(address: string | null): string[] {
    return this.parts.strangers.limits(address)
  }

  /** What is known of the key in the headers, without waiting. */
  private seenBefore(headers: CallHeaders): KeyFacts | undefined {
    const presented = readAuthorization(headers['authorization'])
    return 'refusal' in presented ? undefined : this.parts.keys.peek(presented.hash)
  }

  /** The facts of the key and of the service, both of one version. */
  private async find(headers: CallHeaders, address: string | null): Promise<{ facts: KeyFacts; shared: SharedFacts } | Answer> {
    const { keys, shared, strangers } = this.parts
    const presented = readAuthorization(headers['authorization'])
    if ('refusal' in presented) return strangers.refuse(address, newRequestId(), presented.refusal)
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const facts = await withinDeadline(findKey(presented, keys))
      if ('refusal' in facts) return strangers.refuse(address, newRequestId(), facts.refusal)
      if (facts.serviceVersion > shared.current.version) await withinDeadline(shared.refresh())
      if (facts.serviceVersion === shared.current.version) return { facts, shared: shared.current }
    }
    throw new Error('The facts about a key changed too often within one question.')
  }

  private refused(refusal: Refusal, counted: Omit<MinuteWindow, 'isOver'>): Answer {
    return this.parts.sealer.refused({ requestId: newRequestId(), window: countWindow('questions', counted) }, refusal)
  }

  private over(counted: MinuteWindow): Answer {
    const message = `More than ${perMinute} questions a minute. Calls of tools are not counted here. Try again in ${counted.resetSeconds} seconds.`
    return this.refused(refuse('rate_limited', { retryAfter: counted.resetSeconds }, message), counted)
  }

  private async guarded<Result>(work: () => Promise<Result | Answer>): Promise<Result | Answer> {
    try {
      return await work()
    } catch (error) {
      this.parts.log.error({ err: error }, 'A question about the service failed.')
      return this.refused(refuse('internal_error'), { limit: perMinute, left: perMinute, resetSeconds: 60 })
    }
  }
}
