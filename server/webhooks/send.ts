import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { deliveryTimeoutSeconds } from '#server/api/contract/events.ts'
import { keptBodyBytes } from '#server/api/contract/webhooks.ts'
import { http } from '#server/runtime/node-http.ts'
import { bareHost } from './check-url.ts'
import { addressOf } from './reach.ts'
import type { Reach } from './webhook-room.ts'

/** What is posted, and where to. */
export type Post = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string; readonly attempt: number }

/** What came of an attempt. `fault` says why there was no whole answer; null: there was one. */
export type Answer = {
  readonly status: number | null
  readonly fault: string | null
  readonly address: string | null
  readonly totalMs: number
  readonly firstByteMs: number | null
  readonly headers: Readonly<Record<string, string>> | null
  readonly body: string | null
  /** As the receiver sent it. */
  readonly retryAfter: string | undefined
}

/** Keeps connections to receivers open between deliveries. An agent tells them apart by address and by name, so none is used for another receiver. */
export type Agents = { readonly http: Agent; readonly https: https.Agent; close: () => void }

export type SendOptions = { readonly reach: Reach; readonly agents: Agents; readonly timeoutMs?: number }

const mostReadBytes = 64 * 1_024
const mostHeaders = 40
const longestHeader = 500
const maxHeaderSize = 16 * 1_024

export function openAgents(mostIdle = 1_024): Agents {
  // An idle connection is given up before most servers close theirs, so that a post rarely meets one that is about to end.
  const options = { keepAlive: true, timeout: 4_000, maxFreeSockets: mostIdle, maxSockets: Number.POSITIVE_INFINITY }
  const agents = { http: new http.Agent(options), https: new https.Agent(options) }
  return {
    ...agents,
    close: () => {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

function keptHeaders(response: IncomingMessage): Record<string, string> {
  const entries = Object.entries(response.headers).slice(0, mostHeaders)
  return Object.fromEntries(entries.map(([name, value]) => [name, plain(String(value)).slice(0, longestHeader)]))
}

/** Text that PostgreSQL can keep: it has no place for a zero byte or half a character. */
const plain = (text: string): string => text.replaceAll('\u0000', '\ufffd').toWellFormed()

type Whole = Pick<Answer, 'status' | 'fault' | 'firstByteMs' | 'headers' | 'body' | 'retryAfter'> & {
  /** The connection had been kept open and its receiver had closed it by then, which says nothing about the receiver. */
  readonly isStale: boolean
}

const nothing = { status: null, firstByteMs: null, headers: null, body: null, retryAfter: undefined, isStale: false } as const
const staleCodes: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE'])

function requestOf(post: Post, address: string, agents: Agents | null): ClientRequest {
  const url = new URL(post.url)
  const host = bareHost(url)
  const isTls = url.protocol === 'https:'
  const options = {
    // The checked address, and no look-up any more; the name stays in Host and in the certificate that is asked for.
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

/** Reads an answer to its end, or as far as it is looked at: what follows is not waited for. */
function readBody(response: IncomingMessage, done: (body: string) => void, broken: () => void): void {
  const chunks: Buffer[] = []
  let [kept, size] = [0, 0]
  const text = () => plain(Buffer.concat(chunks).subarray(0, keptBodyBytes).toString('utf8'))
  response.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (kept < keptBodyBytes) chunks.push(chunk)
    kept += chunk.length
    if (size <= mostReadBytes) return
    done(text())
    response.destroy()
  })
  response.on('end', () => done(text()))
  response.on('error', broken)
  response.on('close', broken)
}

function faultOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return plain(code === undefined || message.includes(code) ? message : `${message} (${code})`).slice(0, 300)
}

/** What came of an attempt at which nothing was sent. */
export const notSent = (fault: string): Answer => ({
  status: null,
  fault,
  address: null,
  totalMs: 0,
  firstByteMs: null,
  headers: null,
  body: null,
  retryAfter: undefined,
})

/** One post within the time that is left; it always ends, whatever the receiver does. Without agents it opens a connection of its own. */
function exchange(post: Post, address: string, agents: Agents | null, begun: number, withinMs: number): Promise<Whole> {
  return new Promise((resolve) => {
    const request = requestOf(post, address, agents)
    let said: Whole = { ...nothing, fault: null }
    let isDone = false
    const finish = (answer: Whole) => {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      resolve(answer)
      if (answer.fault !== null) request.destroy()
    }
    const timer = setTimeout(() => finish({ ...said, fault: `There was no whole answer within ${deliveryTimeoutSeconds} seconds.` }), Math.max(1, withinMs))
    request.on('response', (response) => {
      const firstByteMs = Math.round(performance.now() - begun)
      const retryAfter = response.headers['retry-after']
      said = { status: response.statusCode ?? null, fault: null, firstByteMs, headers: keptHeaders(response), body: null, retryAfter, isStale: false }
      readBody(
        response,
        (body) => finish({ ...said, body }),
        () => finish({ ...said, fault: 'The answer broke off.' }),
      )
    })
    request.on('upgrade', (_response, socket) => {
      socket.destroy()
      finish({ ...nothing, fault: 'The receiver wanted to change the protocol.' })
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      finish({ ...said, fault: faultOf(error), isStale: request.reusedSocket && said.status === null && staleCodes.has(error.code) })
    })
    request.on('close', () => finish({ ...said, fault: said.status === null ? 'The connection ended without an answer.' : 'The answer broke off.' }))
    request.end(post.body)
  })
}

/** Gives up waiting; what was waited for goes on and is not heard any more. */
async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The name could not be resolved within ${deliveryTimeoutSeconds} seconds.`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Posts once: name, connection, answer and body within ten seconds in all. Redirects are not followed. It does not throw. */
export async function send(post: Post, options: SendOptions): Promise<Answer> {
  const begun = performance.now()
  const limitMs = options.timeoutMs ?? deliveryTimeoutSeconds * 1_000
  const spent = () => Math.round(performance.now() - begun)
  try {
    const address = await within(limitMs, addressOf(bareHost(new URL(post.url)), post.attempt, options.reach))
    const first = await exchange(post, address, options.agents, begun, limitMs - spent())
    const { isStale: _, ...answer } = first.isStale ? await exchange(post, address, null, begun, limitMs - spent()) : first
    return { ...answer, address, totalMs: spent() }
  } catch (error) {
    return { ...notSent(faultOf(error)), totalMs: spent() }
  }
}
