/** AI clients that fetch rows with tool calls, with and without the `initialize` handshake (the latter since MCP 2026-07-28). */
import { modernRequest, toolCall } from '../mcp/support/ask.ts'
import { readBody } from '../support/accounts.ts'
import { type Actor, inTime, Turns } from './actor.ts'
import type { CastKey } from './cast.ts'
import type { RecordedAnswer } from './crowd.ts'
import { LoadKind } from './load-kind.ts'
import { pick } from './scenario.ts'

type Envelope = { meta?: { requestId: string; creditsCharged: number; creditsBalance: number }; data?: unknown[]; error?: string; requestId?: string }
type ToolAnswer = Envelope & { result?: { isError?: boolean; content?: { text?: string }[] } }

export class ToolCallers implements Actor {
  readonly load = new LoadKind('tool calls')
  readonly faults: string[] = []
  readonly answers: RecordedAnswer[] = []
  /** Number of calls without a response, each of which may have been charged. */
  unanswered = 0
  private readonly turns: Turns
  private readonly origins: readonly string[]
  private readonly key: CastKey

  constructor(origins: readonly string[], key: CastKey) {
    this.origins = origins
    this.key = key
    this.turns = new Turns(() => this.turn(), { pauseMs: 120, atOnce: 3 })
  }

  private async turn(): Promise<void> {
    const rows = 1 + Math.floor(Math.random() * 6)
    const given = { name: 'rates', arguments: { limit: rows } }
    const isModern = Math.random() < 0.5
    const { body, headers } = isModern ? modernRequest('tools/call', given) : { body: toolCall(given.name, given.arguments), headers: {} }
    const sentAt = performance.now()
    const answer = await inTime(async (signal) => {
      const accept = 'application/json, text/event-stream'
      const all = { 'content-type': 'application/json', accept, authorization: `Bearer ${this.key.key}`, ...headers }
      const response = await fetch(`${pick(this.origins)}/mcp`, { method: 'POST', headers: all, body: JSON.stringify(body), signal })
      return response.text()
    })
    const inside = answer === null ? null : getInside(answer)
    this.load.note(sentAt, inside?.meta !== undefined)
    if (inside === null) this.unanswered++
    else this.note(inside, rows, answer ?? '')
  }

  private note({ meta, data, error, requestId }: Envelope, rows: number, text: string): void {
    const base = { keyId: this.key.keyId, accountId: this.key.account.id, idempotencyKey: null, isReplay: false }
    if (meta) {
      if (meta.creditsCharged !== data?.length || meta.creditsCharged > rows) this.faults.push(`a tool call for ${rows} rows returned ${text.slice(0, 300)}`)
      this.answers.push({ ...base, id: meta.requestId.replace(/^req_/, ''), status: 200, credits: meta.creditsCharged, balance: meta.creditsBalance })
    } else if (error === 'internal_error' && requestId) {
      this.answers.push({ ...base, id: requestId.replace(/^req_/, ''), status: 500, credits: 0, balance: null })
    } else this.faults.push(`a tool call returned ${text.slice(0, 300)}`)
  }

  stop(): Promise<void> {
    return this.turns.stop()
  }

  async check(): Promise<string[]> {
    return []
  }
}

/** Returns the API response inside a tool result, which is either JSON or the single event of a stream. */
function getInside(answer: string): Envelope | null {
  const data = /^data: (.*)$/m.exec(answer)?.[1] ?? answer
  const message = readBody(data) as ToolAnswer | null
  const text = message?.result?.content?.[0]?.text
  // A response without a result is an API error that occurred before any tool was called.
  return text === undefined ? { error: 'none', ...message } : (JSON.parse(text) as Envelope)
}
