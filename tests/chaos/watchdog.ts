/** Probes every process continuously with a health check and a paid call. */
import { type Actor, inTime, Turns } from './actor.ts'
import { LoadKind } from './load-kind.ts'
import type { Member, Members } from './members.ts'

type Probe = { readonly sentAt: number; readonly answeredAt: number }

const everyMs = 250
const withinMs = 5_000

export class Watchdog implements Actor {
  readonly load = new LoadKind('probes of each process')
  readonly faults: string[] = []
  private readonly good = new Map<string, Probe[]>()
  private readonly turns: Turns[]
  private readonly key: string

  constructor(members: Members, key: string) {
    this.key = key
    this.turns = members.all.map((member) => new Turns(() => this.probe(member), { pauseMs: everyMs }))
  }

  private async probe(member: Member): Promise<void> {
    const sentAt = performance.now()
    const ok = (await this.asks(member, '/healthz')) && (!member.isApi || (await this.asks(member, '/v1/rates?limit=1')))
    this.load.note(sentAt, ok)
    if (!ok) return
    member.served()
    const probes = this.good.get(member.name) ?? []
    probes.push({ sentAt, answeredAt: performance.now() })
    this.good.set(member.name, probes)
  }

  private async asks({ origin }: Member, path: string): Promise<boolean> {
    const answer = await inTime((signal) => fetch(origin + path, { headers: { authorization: `Bearer ${this.key}` }, signal }), withinMs)
    await answer?.body?.cancel().catch(() => undefined)
    return answer?.status === 200
  }

  /** Returns the milliseconds from `moment` to the first response to a probe sent after it; null if there is none yet. */
  since(member: Member, moment: number): number | null {
    const first = this.good.get(member.name)?.find(({ sentAt }) => sentAt >= moment)
    return first ? first.answeredAt - moment : null
  }

  async stop(): Promise<void> {
    await Promise.all(this.turns.map((turns) => turns.stop()))
  }

  async check(): Promise<string[]> {
    return []
  }
}
