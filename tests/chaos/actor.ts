import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadKind } from './load-kind.ts'

/** Somebody who uses the service in one way and keeps books of what it was told. */
export type Actor = {
  readonly load: LoadKind
  /** What was wrong at once, each with its evidence. */
  readonly faults: string[]
  /** Ends what is under way. */
  stop: () => Promise<void>
  /** What is wrong by the books, when all is quiet. */
  check: () => Promise<string[]>
}

/** Turns that go on until they are stopped. Between two of them is a pause of `pauseMs` at most. */
export class Turns {
  private readonly running: Promise<void>[]
  private stopping = false

  constructor(turn: () => Promise<void>, { pauseMs, atOnce = 1 }: { readonly pauseMs: number; readonly atOnce?: number }) {
    this.running = Array.from({ length: atOnce }, async () => {
      while (!this.stopping) {
        await turn()
        for (const end = performance.now() + pauseMs * (0.5 + Math.random() / 2); !this.stopping && performance.now() < end; ) await sleep(20)
      }
    })
  }

  get isStopping(): boolean {
    return this.stopping
  }

  async stop(): Promise<void> {
    this.stopping = true
    await Promise.all(this.running)
  }
}

/** Waits for an answer over HTTP, but not for ever; null: there was none. */
export async function inTime<Answer>(asking: (signal: AbortSignal) => Promise<Answer>, withinMs = 12_000): Promise<Answer | null> {
  try {
    return await asking(AbortSignal.timeout(withinMs))
  } catch {
    // Refused, broken or too late: whoever asked counts it as not answered.
    return null
  }
}
