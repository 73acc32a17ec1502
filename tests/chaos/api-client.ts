import { Agent, type IncomingHttpHeaders, request } from 'node:http'

export type Reply = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string }

/**
 * `refused`: the client could not connect, so the call was never made. `broken`: the connection broke, but the call may have been served. `silent`: the call
 * timed out.
 */
export type Call = { readonly kind: 'answered'; readonly reply: Reply } | { readonly kind: 'refused' | 'broken' | 'silent' }

/** HTTP client that reuses connections and never retries. */
export class ApiClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  private readonly silentAfterMs: number

  constructor(silentAfterMs: number) {
    this.silentAfterMs = silentAfterMs
  }

  get(origin: string, path: string, key: string, headers: Record<string, string> = {}): Promise<Call> {
    return new Promise((resolve) => {
      const outgoing = request(`${origin}/v1${path}`, { agent: this.agent, headers: { authorization: `Bearer ${key}`, ...headers } })
      const timer = setTimeout(() => {
        resolve({ kind: 'silent' })
        outgoing.destroy()
      }, this.silentAfterMs)
      const end = (call: Call) => {
        clearTimeout(timer)
        resolve(call)
      }
      outgoing.on('error', (error: NodeJS.ErrnoException) => end({ kind: error.code === 'ECONNREFUSED' ? 'refused' : 'broken' }))
      outgoing.on('response', (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('error', () => end({ kind: 'broken' }))
        response.on('end', () => end({ kind: 'answered', reply: { status: response.statusCode ?? 0, headers: response.headers, text } }))
      })
      outgoing.end()
    })
  }

  close(): void {
    this.agent.destroy()
  }
}
