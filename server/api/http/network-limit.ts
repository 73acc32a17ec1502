import type { IncomingMessage, ServerResponse } from 'node:http'
import { getNetwork } from '#server/keys/address-list.ts'
import { isApiPath, isAsset, isDrawing, isPortalCall, isTrpcCall } from './address-shapes.ts'
import { BodyArrivals } from './body-buffer.ts'
import { usualLimits } from './listener-limits.ts'
import { hasSessionCookie } from './request-faults.ts'

type Handler = (request: IncomingMessage, response: ServerResponse, address: string | null) => void

/**
 * Cost of a request in tokens. Files, images and portal queries cost a fraction of a page, because a page loads many of them. Images (logos and cards) are
 * rendered, so they cost more than files. A tRPC POST costs more than a query, because users send few POSTs. Without a session, a POST costs the most, because
 * no mutation would be accepted.
 */
const costs = { page: 1, call: 0.2, post: 1, postWithoutSession: 5, image: 0.1, file: 0.02 } as const

/** Maximum number of pending requests per network. A browser makes a few dozen at most, including links that it prefetches. */
const maxOpenPerNetwork = 32

/** Maximum number of slots per network. Each request being served takes a slot. Low enough that a few networks can't use up all slots. */
const maxInFlightPerNetwork = 8
/** Maximum number of slots in total. */
const maxInFlight = 64

/** Maximum number of requests that wait for a slot. */
const maxWaiting = 512
/** Maximum time that a request waits for a slot. */
const waitMs = 10_000

const maxNetworks = 50_000

function getCost({ url = '', method, headers }: IncomingMessage): number {
  if (isAsset(url)) return isDrawing(url) ? costs.image : costs.file
  if (method === 'POST' && isTrpcCall(url)) return hasSessionCookie(headers.cookie) ? costs.post : costs.postWithoutSession
  return isPortalCall(url) ? costs.call : costs.page
}

type Bucket = { tokens: number; refilledAt: number; open: number; inFlight: number }

type Waiting = { readonly bucket: Bucket; readonly start: () => void }

function reject(response: ServerResponse, status: 408 | 429 | 503, retryAfterSeconds: number, message: string): void {
  if (response.destroyed) return
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
  response.writeHead(status, { ...headers, 'Retry-After': retryAfterSeconds, Connection: 'close' })
  response.end(`${message}\n`)
}

const tooBusy = (response: ServerResponse): void => reject(response, 503, 2, 'The service is busy. Try again in 2 seconds.')
const tooLate = (response: ServerResponse): void => reject(response, 408, 2, 'The body took too long to arrive. Try again in 2 seconds.')

/**
 * Limits the requests of each network (IPv4 address or IPv6 /64) outside the API. A token bucket limits the number per minute, and slots limit the number
 * served at the same time. If no slot is free, a request waits for a short time. Each process counts separately.
 */
export class NetworkLimit {
  private readonly perMinute: number
  private readonly buckets = new Map<string, Bucket>()
  private readonly arrivals = new BodyArrivals()
  private readonly waiting = new Set<Waiting>()
  private inFlight = 0

  constructor(perMinute: number) {
    this.perMinute = perMinute
  }

  /** Wraps a handler with the limit. API calls have separate limits. */
  over(handle: Handler): Handler {
    return (request, response, address) => {
      const { url = '' } = request
      const serve = () => handle(request, response, address)
      if (isApiPath(url)) serve()
      else {
        const bucket = this.refilled(getNetwork(address))
        // A request takes a slot only once its body has fully arrived, so a slow sender does not keep a slot from others.
        if (this.admits(bucket, getCost(request), response))
          this.arrivals.wait(
            request,
            response,
            () => this.waitForSlot(bucket, response, serve),
            () => tooLate(response),
          )
      }
    }
  }

  /** Counts a request that this process answers itself, without a slot. Returns false if it was rejected. */
  admitDirect(request: IncomingMessage, response: ServerResponse, address: string | null): boolean {
    return this.admits(this.refilled(getNetwork(address)), getCost(request), response)
  }

  /** Gives back the tokens that a request cost. */
  refund(request: IncomingMessage, address: string | null): void {
    const bucket = this.refilled(getNetwork(address))
    bucket.tokens = Math.min(this.perMinute, bucket.tokens + getCost(request))
  }

  /** Deducts the cost of a request. Returns false if the request was rejected instead. */
  private admits(bucket: Bucket, cost: number, response: ServerResponse): boolean {
    if (bucket.tokens < cost || bucket.open >= maxOpenPerNetwork) {
      const seconds = Math.max(1, Math.ceil(((Math.max(1, cost) - bucket.tokens) * 60) / this.perMinute))
      // Delayed, because a sender over its limit would otherwise retry immediately.
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
    bucket.tokens -= cost
    bucket.open++
    response.once('close', () => bucket.open--)
    return true
  }

  private hasSlot(bucket: Bucket): boolean {
    return this.inFlight < maxInFlight && bucket.inFlight < maxInFlightPerNetwork
  }

  /** Serves a request as soon as a slot is free. Rejects it if too many requests are waiting or none becomes free in time. */
  private waitForSlot(bucket: Bucket, response: ServerResponse, serve: () => void): void {
    if (this.hasSlot(bucket)) this.takeSlot(bucket, response, serve)
    else if (this.waiting.size >= maxWaiting) tooBusy(response)
    else {
      const leave = () => {
        clearTimeout(timer)
        this.waiting.delete(waiting)
        response.off('close', leave)
      }
      const start = () => {
        leave()
        this.takeSlot(bucket, response, serve)
      }
      const waiting = { bucket, start }
      const timer = setTimeout(() => {
        leave()
        tooBusy(response)
      }, waitMs)
      this.waiting.add(waiting)
      response.once('close', leave)
    }
  }

  private takeSlot(bucket: Bucket, response: ServerResponse, serve: () => void): void {
    bucket.inFlight++
    this.inFlight++
    response.once('close', () => {
      bucket.inFlight--
      this.inFlight--
      this.serveWaiting()
    })
    serve()
  }

  /** Serves the longest-waiting requests while slots are free. */
  private serveWaiting(): void {
    for (const { bucket, start } of this.waiting) {
      if (this.inFlight >= maxInFlight) return
      if (this.hasSlot(bucket)) start()
    }
  }

  private refilled(network: string): Bucket {
    const now = performance.now()
    const bucket = this.buckets.get(network) ?? { tokens: this.perMinute, refilledAt: now, open: 0, inFlight: 0 }
    bucket.tokens = Math.min(this.perMinute, bucket.tokens + ((now - bucket.refilledAt) * this.perMinute) / 60_000)
    bucket.refilledAt = now
    // The map is in order of use, so its first entry is the least recently used network.
    this.buckets.delete(network)
    this.buckets.set(network, bucket)
    if (this.buckets.size > maxNetworks) this.buckets.delete(this.buckets.keys().next().value ?? '')
    return bucket
  }
}
