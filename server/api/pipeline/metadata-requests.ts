import type { Availability } from '#server/api/contract/endpoint.ts'
import { type Refusal, refuse } from '#server/api/contract/errors.ts'
import { clock } from '#server/clock.ts'
import { newRequestId } from '#server/ids.ts'
import type { KeyRecord, KeyRecordCache } from '#server/keys/key-record.ts'
import type { Log } from '#server/observability/log.ts'
import type { UnauthenticatedLimits } from './authenticate.ts'
import { findKey, readAuthorization } from './authenticate.ts'
import type { Answer, CallHeaders, PipelineEndpoint } from './call.ts'
import type { ConfigSnapshot, ConfigSnapshotHolder } from './config-snapshot.ts'
import { snapshotTimeoutMs, withinDeadline } from './deadline.ts'
import { callerRefusal, standingRefusal } from './key-and-account-checks.ts'
import { countWindow, limitHeaders, MinuteCount, type MinuteWindow } from './rate-windows.ts'
import type { ResponseBuilder } from './response-builder.ts'

/** Maximum number of metadata requests per minute and key, counted separately from API calls. A client sends about five when it connects. */
const perMinute = 600

/** Permissions of a key, determined without making a call. */
export type Standing = {
  readonly scopes: ReadonlySet<string>
  /** Availability overrides set by administrators, by endpoint id. */
  readonly overrides: ReadonlyMap<string, Availability>
  /** Label of the latest version of the Data Licence. */
  readonly licence: string
  /** Returns the error that a call to this endpoint would get, or null if it is allowed. */
  readonly getRefusal: (endpoint: PipelineEndpoint) => Refusal | null
  /** Rate limit headers for metadata requests. */
  readonly limits: readonly string[]
}

type Parts = {
  readonly keys: KeyRecordCache
  readonly shared: ConfigSnapshotHolder
  readonly responseBuilder: ResponseBuilder
  readonly unauthenticated: UnauthenticatedLimits
  readonly log: Log
}

const maxAttempts = 8

/**
 * Handles metadata requests, such as listing the MCP tools. They require a key that may make calls, but are neither charged nor logged and don't count towards
 * the limits of the key and the account. An in-process counter limits them instead.
 */
export class Visitors {
  private readonly parts: Parts
  private readonly questions = new MinuteCount(perMinute)

  constructor(parts: Parts) {
    this.parts = parts
  }

  /** Returns the error response for a caller without a valid key, else null. Accepts cached keys, because the call that follows checks the key again. */
  async refuseUnauthenticated(headers: CallHeaders, address: string | null): Promise<Answer | null> {
    if (this.getCachedKey(headers)) return null
    const found = await this.guarded(() => this.find(headers, address))
    return 'status' in found ? found : null
  }

  /** Returns the permissions of the key in the headers, or the error response if it is rejected. Checks the current state, not just the cache. */
  async standing(headers: CallHeaders, address: string | null): Promise<Standing | Answer> {
    const cached = this.getCachedKey(headers)
    // Counts requests with a cached key before querying the database, so that requests over the limit cause no queries.
    const early = cached && this.questions.count(cached.publicId)
    if (early?.isOver) return this.over(early)
    return this.guarded(async () => {
      const found = await this.find(headers, address)
      if ('status' in found) return found
      const { keyRecord, shared } = found
      const counted = early ?? this.questions.count(keyRecord.publicId)
      if (counted.isOver) return this.over(counted)
      const refusal = callerRefusal(keyRecord, address, clock.now())
      if (refusal) return this.refused(refusal, counted)
      return {
        scopes: keyRecord.scopes,
        overrides: shared.overrides,
        licence: shared.licence,
        getRefusal: (endpoint) => standingRefusal(endpoint, keyRecord, shared),
        limits: limitHeaders(countWindow('questions', counted)),
      }
    })
  }

  /** Returns the rate limit headers for a request that was rejected before its key was checked. */
  limitsByAddress(address: string | null): string[] {
    return this.parts.unauthenticated.limits(address)
  }

  /** Returns the cached record of the key in the headers, if there is one. */
  private getCachedKey(headers: CallHeaders): KeyRecord | undefined {
    const presented = readAuthorization(headers['authorization'])
    return 'refusal' in presented ? undefined : this.parts.keys.peek(presented.hash)
  }

  /** Loads the key and the config snapshot at the same version. Returns the error response if the key is missing or invalid. */
  private async find(headers: CallHeaders, address: string | null): Promise<{ keyRecord: KeyRecord; shared: ConfigSnapshot } | Answer> {
    const { keys, shared, unauthenticated } = this.parts
    const presented = readAuthorization(headers['authorization'])
    if ('refusal' in presented) return unauthenticated.refuse(address, newRequestId(), presented.refusal)
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const keyRecord = await withinDeadline(findKey(presented, keys))
      if ('refusal' in keyRecord) return unauthenticated.refuse(address, newRequestId(), keyRecord.refusal)
      if (keyRecord.serviceVersion !== shared.current.version) await withinDeadline(shared.refresh(), snapshotTimeoutMs)
      if (keyRecord.serviceVersion === shared.current.version) return { keyRecord, shared: shared.current }
    }
    throw new Error('The key state changed too often during one metadata request.')
  }

  private refused(refusal: Refusal, counted: Omit<MinuteWindow, 'isOver'>): Answer {
    return this.parts.responseBuilder.refused({ requestId: newRequestId(), window: countWindow('questions', counted) }, refusal)
  }

  private over(counted: MinuteWindow): Answer {
    const message = `The limit of ${perMinute} metadata requests per minute is reached. Tool calls don't count towards it. Retry in ${counted.resetSeconds} seconds.`
    return this.refused(refuse('rate_limited', { retryAfter: counted.resetSeconds }, message), counted)
  }

  private async guarded<Result>(work: () => Promise<Result | Answer>): Promise<Result | Answer> {
    try {
      return await work()
    } catch (error) {
      this.parts.log.error({ err: error }, 'Metadata request failed.')
      return this.refused(refuse('internal_error'), { limit: perMinute, left: perMinute, resetSeconds: 60 })
    }
  }
}
