import type { IncomingMessage, ServerResponse } from 'node:http'
import { networkOf } from '#server/api/pipeline/address-limit.ts'
import { isApiPath, isAsset, isDrawing, isPortalCall, isTrpcCall } from './address-shapes.ts'
import { BodyArrivals } from './body-arrivals.ts'
import { usualLimits } from './listener-limits.ts'
import { hasSessionCookie } from './request-faults.ts'

type Handler = (request: IncomingMessage, response: ServerResponse, address: string | null) => void

/**
 * Files and drawings cost a fraction of a page, because a page brings many of them; so do portal calls that read. A drawing is rendered, so it costs more
 * than a file. A tRPC post costs more: people make few of
 * them, and none that changes anything is accepted without a session.
 */
const costs = { page: 1, call: 0.2, post: 1, postWithoutSession: 5, drawing: 0.1, file: 0.02 } as const

/** Requests of one network that are not answered yet. A browser asks for a few dozen at most, links that it prefetches included. */
const maxOpenPerNetwork = 32

/** Pages that are rendered at the same time: for one network, which has a small share so that a few cannot shut out all others, and for all of them. */
const maxInFlightPerNetwork = 8
const maxInFlight = 64

/** Requests that wait until one of those is done, and for how long. */
const maxWaiting = 512
const waitMs = 10_000

const maxNetworks = 50_000

function costOf({ url = '', method, headers }: IncomingMessage): number {
  if (isAsset(url)) return isDrawing(url) ? costs.drawing : costs.file
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
 * Limits how many pages and portal calls one network (IPv4 address, IPv6 /64) may ask for: a token bucket that holds a minute's worth, and a bound on those
 * in flight. Who is a little over that bound waits. Each process counts for itself.
 */
export class PageLimit {
  private readonly perMinute: number
  private readonly buckets = new Map<string, Bucket>()
  private readonly arrivals = new BodyArrivals()
  private readonly waiting = new Set<Waiting>()
  private inFlight = 0

  constructor(perMinute: number) {
    this.perMinute = perMinute
  }

  /** Puts the limit in front of a handler. Calls of the API have limits of their own. */
  over(handle: Handler): Handler {
    return (request, response, address) => {
      const { url = '' } = request
      const serve = () => handle(request, response, address)
      if (isApiPath(url)) serve()
      else {
        const bucket = this.refilled(networkOf(address))
        // A place is only taken by a request that is here as a whole: who is slow to send keeps nobody else from one.
        if (this.admits(bucket, costOf(request), response))
          this.arrivals.wait(
            request,
            response,
            () => this.enter(bucket, response, serve),
            () => tooLate(response),
          )
      }
    }
  }

  /** Counts a request that this process answers itself, without a place among the pages. False if it was rejected. */
  admitDirect(request: IncomingMessage, response: ServerResponse, address: string | null): boolean {
    return this.admits(this.refilled(networkOf(address)), costOf(request), response)
  }

  /** Takes what a request costs, or rejects it. */
  private admits(bucket: Bucket, cost: number, response: ServerResponse): boolean {
    if (bucket.tokens < cost || bucket.open >= maxOpenPerNetwork) {
      const seconds = Math.max(1, Math.ceil(((Math.max(1, cost) - bucket.tokens) * 60) / this.perMinute))
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
    bucket.tokens -= cost
    bucket.open++
    response.once('close', () => bucket.open--)
    return true
  }

  private hasPlace(bucket: Bucket): boolean {
    return this.inFlight < maxInFlight && bucket.inFlight < maxInFlightPerNetwork
  }

  /** Serves a request when there is a place for it, at once or a little later. */
  private enter(bucket: Bucket, response: ServerResponse, serve: () => void): void {
    if (this.hasPlace(bucket)) this.hold(bucket, response, serve)
    else if (this.waiting.size >= maxWaiting) tooBusy(response)
    else {
      const leave = () => {
        clearTimeout(timer)
        this.waiting.delete(waiting)
        response.off('close', leave)
      }
      const start = () => {
        leave()
        this.hold(bucket, response, serve)
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

  private hold(bucket: Bucket, response: ServerResponse, serve: () => void): void {
    bucket.inFlight++
    this.inFlight++
    response.once('close', () => {
      bucket.inFlight--
      this.inFlight--
      this.letIn()
    })
    serve()
  }

  /** Serves those that waited the longest, as far as there are places. */
  private letIn(): void {
    for (const { bucket, start } of this.waiting) {
      if (this.inFlight >= maxInFlight) return
      if (this.hasPlace(bucket)) start()
    }
  }

  private refilled(network: string): Bucket {
    const now = performance.now()
    const bucket = this.buckets.get(network) ?? { tokens: this.perMinute, refilledAt: now, open: 0, inFlight: 0 }
    bucket.tokens = Math.min(this.perMinute, bucket.tokens + ((now - bucket.refilledAt) * this.perMinute) / 60_000)
    bucket.refilledAt = now
    // The map is in order of use, so the first network is the one that was away the longest.
    this.buckets.delete(network)
    this.buckets.set(network, bucket)
    if (this.buckets.size > maxNetworks) this.buckets.delete(this.buckets.keys().next().value ?? '')
    return bucket
  }
}
