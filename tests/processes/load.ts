import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const pauseMs = 10

/** Result of a load: number of successful calls by kind, and descriptions of the failed ones. */
export type LoadResult = { readonly reads: number; readonly tools: number; readonly pages: number; readonly failed: string[] }

type Kind = 'reads' | 'tools' | 'pages'
type Sent = { method: string; path: string; headers: Record<string, string>; body?: string }

const tool = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'rates', arguments: { limit: 1 } } })

function sentFor(kind: Kind, key: string): Sent {
  const authorization = `Bearer ${key}`
  if (kind === 'reads') return { method: 'GET', path: '/v1/rates?limit=1', headers: { authorization } }
  if (kind === 'pages') return { method: 'GET', path: '/docs/errors/not_found', headers: {} }
  const headers = { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  return { method: 'POST', path: '/mcp', headers: { ...headers, 'mcp-protocol-version': '2025-11-25' }, body: tool }
}

/** Callers that each make one call after another over their own keep-alive connection, without retries. */
export class Load {
  private readonly agent: Agent
  private readonly done: Promise<void>[]
  private readonly counts = { reads: 0, tools: 0, pages: 0 }
  private readonly failed: string[] = []
  private isOver = false

  constructor(origin: string, key: string, callers: readonly Kind[]) {
    // One connection per caller.
    this.agent = new Agent({ keepAlive: true, maxSockets: callers.length })
    this.done = callers.map((kind) => this.call(origin, key, kind))
  }

  private async call(origin: string, key: string, kind: Kind): Promise<void> {
    const sent = sentFor(kind, key)
    while (!this.isOver) {
      const fault = await this.once(origin, sent)
      if (fault === null) this.counts[kind] += 1
      else this.failed.push(`${sent.method} ${sent.path}: ${fault}`)
      // The pause keeps the load moderate: with both cores busy, calls would time out even without a restart.
      await sleep(pauseMs)
    }
  }

  /** Makes one call. Returns null if it succeeded, otherwise a description of the failure. */
  private once(origin: string, { body, ...sent }: Sent): Promise<string | null> {
    const { hostname, port } = new URL(origin)
    return new Promise((resolve) => {
      const asked = request({ hostname, port, agent: this.agent, timeout: 15_000, ...sent }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        answer.on('error', (error) => resolve(`cut off: ${error.message}`))
        answer.on('end', () => resolve(answer.statusCode === 200 && !text.includes('"isError":true') ? null : `${answer.statusCode} ${text.slice(0, 200)}`))
      })
      asked.on('timeout', () => asked.destroy(new Error('no answer in time')))
      asked.on('error', (error) => resolve(`${error.message}${asked.reusedSocket ? ' on a reused connection' : ''}`))
      asked.end(body)
    })
  }

  /** Returns the number of successful calls so far. */
  get answered(): number {
    return this.counts.reads + this.counts.tools + this.counts.pages
  }

  /** Waits for each caller to finish its current call. */
  async stop(): Promise<LoadResult> {
    this.isOver = true
    await Promise.all(this.done)
    this.agent.destroy()
    return { ...this.counts, failed: this.failed }
  }
}
