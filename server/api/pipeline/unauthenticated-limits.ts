import { type Refusal, refuse } from '#server/api/contract/errors.ts'
import { AddressLimit } from './address-limit.ts'
import type { Answer } from './call.ts'
import { countWindow, limitHeaders } from './headers.ts'
import type { ResponseBuilder } from './response-builder.ts'

/** Counts unauthenticated requests by address, and refuses them. */
export class UnauthenticatedLimits {
  private readonly responseBuilder: ResponseBuilder
  private readonly addresses = new AddressLimit()

  constructor(responseBuilder: ResponseBuilder) {
    this.responseBuilder = responseBuilder
  }

  /** Returns the rate limit headers of a response that was given before the key was checked, which counts like a refusal. */
  limits(address: string | null): string[] {
    return limitHeaders(countWindow('address', this.addresses.count(address)))
  }

  refuse(address: string | null, requestId: string, refusal: Refusal): Answer {
    const counted = this.addresses.count(address)
    const { limit, resetSeconds } = counted
    const over = refuse(
      'rate_limited',
      { retryAfter: resetSeconds },
      `The limit of ${limit} calls per minute without a valid key is reached. Retry in ${resetSeconds} seconds.`,
    )
    return this.responseBuilder.refused({ requestId, window: countWindow('address', counted) }, counted.isOver ? over : refusal)
  }
}
