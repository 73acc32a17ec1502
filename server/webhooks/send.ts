import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { deliveryTimeoutSeconds, keptBodyBytes } from '#server/api/contract/webhooks.ts'
import { http } from '#server/runtime/node-http.ts'
import { bareHost, RefusedReceiverError, resolveAddress } from './reach.ts'
import type { Reach } from './webhook-deps.ts'

/** Request to a receiver. */
export type Post = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string; readonly attempt: number }

/** Result of an attempt. `fault` is the reason why there was no complete response; null if there was one. */
export type Answer = {
  readonly status: number | null
  readonly fault: string | null
  readonly address: string | null
  readonly totalMs: number
  readonly firstByteMs: number | null
  readonly headers: Readonly<Record<string, string>> | null
  readonly body: string | null
  /** True if the connection was open, so that the receiver may have got the body, even if it didn't respond. */
  readonly isSent: boolean
  /** Raw Retry-After header. */
  readonly retryAfter: string | undefined
}

/** Keep-alive agents. Node pools connections by address and server name, so no connection is reused for another receiver. */
export type Agents = { readonly http: Agent; readonly https: https.Agent; close: () => void }

export type SendOptions = { readonly reach: Reach; readonly agents: Agents; readonly timeoutMs?: number }

const maxReadBytes = 64 * 1_024
const maxHeaderLength = 500
/** Maximum length of all kept headers of a response, names included. */
const maxKeptLength = 2_000
const maxHeaderSize = 16 * 1_024

export function openAgents(): Agents {
  // Close idle connections sooner than most servers do, so that requests are rarely sent on a connection that is closing.
  const options = { keepAlive: true, timeout: 4_000, maxFreeSockets: 1_024, maxSockets: Number.POSITIVE_INFINITY }
  const agents = { http: new http.Agent(options), https: new https.Agent(options) }
  return {
    ...agents,
    close: () => {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

/** Returns the first headers of a response. The rest is dropped, so that receivers can't fill the disk. */
function keptHeaders(response: IncomingMessage): Record<string, string> {
  const kept: Record<string, string> = {}
  let length = 0
  for (const [name, values] of Object.entries(response.headers)) {
    const value = toStorable(String(values)).slice(0, maxHeaderLength)
    length += name.length + value.length
    if (length > maxKeptLength) break
    kept[name] = value
  }
  return kept
}

/** Replaces NUL and lone surrogates, which PostgreSQL can't store. */
const toStorable = (text: string): string => text.replaceAll('\u0000', '\ufffd').toWellFormed()

type Exchange = Pick<Answer, 'status' | 'fault' | 'firstByteMs' | 'headers' | 'body' | 'retryAfter' | 'isSent'> & {
  /** True if the request failed because the receiver had already closed the reused connection. The request is then repeated on a new connection. */
  readonly isStale: boolean
}

type Unsent = Omit<Exchange, 'isSent'>

const noResponse = { status: null, firstByteMs: null, headers: null, body: null, retryAfter: undefined } as const
const staleCodes: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE'])

function createRequest(post: Post, address: string, agents: Agents | null): ClientRequest {
  const url = new URL(post.url)
  const host = bareHost(url)
  const isTls = url.protocol === 'https:'
  const options = {
    // Connect to the checked address without another lookup. The name is still used for Host and the certificate.
    host: address,
    port: url.port === '' ? (isTls ? 443 : 80) : Number(url.port),
    path: url.pathname + url.search,
    method: 'POST',
    maxHeaderSize,
    headers: { Host: url.host, ...post.headers, 'Content-Length': String(Buffer.byteLength(post.body)) },
  }
  if (!isTls) return http.request({ ...options, agent: agents?.http ?? false })
  return https.request({ ...options, agent: agents?.https ?? false, servername: isIP(host) === 0 ? host : '' })
}

/** Reads the response body up to its end or the size limit. The rest is discarded. */
function readBody(response: IncomingMessage, done: (body: string) => void, broken: () => void): void {
  const chunks: Buffer[] = []
  let [kept, size] = [0, 0]
  const text = () => toStorable(Buffer.concat(chunks).subarray(0, keptBodyBytes).toString('utf8'))
  response.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (kept < keptBodyBytes) chunks.push(chunk)
    kept += chunk.length
    if (size <= maxReadBytes) return
    done(text())
    response.destroy()
  })
  response.on('end', () => done(text()))
  response.on('error', broken)
  response.on('close', broken)
}

function describeFault(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof RefusedReceiverError) return `${message} Nothing was sent.`
  return toStorable(code === undefined || message.includes(code) ? message : `${message} (${code})`).slice(0, 300)
}

/** Creates the result of an attempt in which nothing was sent. */
export const notSent = (fault: string): Answer => ({ ...noResponse, fault, address: null, totalMs: 0, isSent: false })

/** Sends one request within the remaining time. The promise always resolves, whatever the receiver does. Opens a new connection if `agents` is null. */
function exchange(post: Post, address: string, agents: Agents | null, begun: number, timeoutMs: number): Promise<Exchange> {
  return new Promise((resolve) => {
    const request = createRequest(post, address, agents)
    let received: Unsent = { ...noResponse, fault: null, isStale: false }
    let [isDone, isSent] = [false, false]
    const finish = (answer: Unsent) => {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      resolve({ ...answer, isSent })
      if (answer.fault !== null) request.destroy()
    }
    const timer = setTimeout(() => finish({ ...received, fault: `No complete response within ${deliveryTimeoutSeconds} seconds.` }), Math.max(1, timeoutMs))
    request.on('socket', (socket) => {
      if (request.reusedSocket) isSent = true
      else socket.once(post.url.startsWith('https:') ? 'secureConnect' : 'connect', () => (isSent = true))
    })
    request.on('response', (response) => {
      const firstByteMs = Math.round(performance.now() - begun)
      const retryAfter = response.headers['retry-after']
      received = { status: response.statusCode ?? null, fault: null, firstByteMs, headers: keptHeaders(response), body: null, retryAfter, isStale: false }
      readBody(
        response,
        (body) => finish({ ...received, body }),
        () => finish({ ...received, fault: 'The response was cut off.' }),
      )
    })
    request.on('upgrade', (_response, socket) => {
      socket.destroy()
      finish({ ...noResponse, fault: 'The receiver tried to switch protocols.', isStale: false })
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      finish({ ...received, fault: describeFault(error), isStale: request.reusedSocket && received.status === null && staleCodes.has(error.code) })
    })
    request.on('close', () =>
      finish({ ...received, fault: received.status === null ? 'The connection closed without a response.' : 'The response was cut off.' }),
    )
    request.end(post.body)
  })
}

/** Waits for a name to be resolved. Rejects after a timeout; `work` then continues, but its result is ignored. */
async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The host name could not be resolved within ${deliveryTimeoutSeconds} seconds.`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Sends one delivery attempt: DNS, connection, response and body must finish within ten seconds. Redirects are not followed. Never throws. */
export async function send(post: Post, options: SendOptions): Promise<Answer> {
  const begun = performance.now()
  const limitMs = options.timeoutMs ?? deliveryTimeoutSeconds * 1_000
  const spent = () => Math.round(performance.now() - begun)
  try {
    const address = await within(limitMs, resolveAddress(bareHost(new URL(post.url)), post.attempt, options.reach))
    const first = await exchange(post, address, options.agents, begun, limitMs - spent())
    const { isStale: _, ...answer } = first.isStale ? await exchange(post, address, null, begun, limitMs - spent()) : first
    return { ...answer, address, totalMs: spent(), isSent: first.isSent || answer.isSent }
  } catch (error) {
    return { ...notSent(describeFault(error)), totalMs: spent() }
  }
}
