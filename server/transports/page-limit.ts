import type { IncomingMessage, ServerResponse } from 'node:http'
import { networkOf } from '../gate/address-limit.ts'
import { usualLimits } from './listener-limits.ts'
import { apiPath } from './request-faults.ts'

type Handler = (request: IncomingMessage, response: ServerResponse, address: string | null) => void

/** Files and drawings cost a fraction of a page, because a page brings many of them; so do portal calls. */
const assetPath = /^\/(?:_next\/static|logos|card-images)\//
const portalCall = /^\/api\//
const costs = { page: 1, call: 0.2, asset: 0.02 } as const

/** Pages that are rendered at the same time: for one network, and for all of them. A browser asks for a few dozen at most, links that it prefetches included. */
const maxInFlightPerNetwork = 32
const maxInFlight = 64

const maxNetworks = 50_000

const costOf = (url: string): number => (assetPath.test(url) ? costs.asset : portalCall.test(url) ? costs.call : costs.page)

type Bucket = { tokens: number; refilledAt: number; inFlight: number }

function reject(response: ServerResponse, status: 429 | 503, retryAfterSeconds: number, message: string): void {
  if (response.destroyed) return
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
  response.writeHead(status, { ...headers, 'Retry-After': retryAfterSeconds, Connection: 'close' })
  response.end(`${message}\n`)
}

/**
 * Limits how many pages and portal calls one network (IPv4 address, IPv6 /64) may ask for: a token bucket that holds a minute's worth, and a bound on those
 * in flight. Each process counts for itself.
 */
export class PageLimit {
  private readonly perMinute: number
  private readonly buckets = new Map<string, Bucket>()
  private inFlight = 0

  constructor(perMinute: number) {
    this.perMinute = perMinute
  }

  /** Puts the limit in front of a handler. Calls of the API have limits of their own. */
  over(handle: Handler): Handler {
    return (request, response, address) => {
      const { url = '' } = request
      if (apiPath.test(url) || this.admits(costOf(url), address, response)) handle(request, response, address)
    }
  }

  /** Takes what a request costs, or rejects it. */
  private admits(cost: number, address: string | null, response: ServerResponse): boolean {
    const bucket = this.refilled(networkOf(address))
    if (bucket.tokens < cost || bucket.inFlight >= maxInFlightPerNetwork) {
      const seconds = Math.max(1, Math.ceil(((1 - bucket.tokens) * 60) / this.perMinute))
      // A sender over its limit would ask again at once.
      setTimeout(
        reject,
        usualLimits.overLimitDelayMs,
        response,
        429,
        seconds,
        `Too many requests from your network. Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
      )
      return false
    }
    if (this.inFlight >= maxInFlight) {
      reject(response, 503, 2, 'The service is busy. Try again in 2 seconds.')
      return false
    }
    bucket.tokens -= cost
    this.hold(bucket, response)
    return true
  }

  private hold(bucket: Bucket, response: ServerResponse): void {
    bucket.inFlight++
    this.inFlight++
    response.once('close', () => {
      bucket.inFlight--
      this.inFlight--
    })
  }

  private refilled(network: string): Bucket {
    const now = performance.now()
    const bucket = this.buckets.get(network) ?? { tokens: this.perMinute, refilledAt: now, inFlight: 0 }
    bucket.tokens = Math.min(this.perMinute, bucket.tokens + ((now - bucket.refilledAt) * this.perMinute) / 60_000)
    bucket.refilledAt = now
    // The map is in order of use, so the first network is the one that was away the longest.
    this.buckets.delete(network)
    this.buckets.set(network, bucket)
    if (this.buckets.size > maxNetworks) this.buckets.delete(this.buckets.keys().next().value ?? '')
    return bucket
  }
}
