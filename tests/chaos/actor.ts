import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadKind } from './load-kind.ts'

/** Simulated user that records every response it receives. */
export type Actor = {
  readonly load: LoadKind
  /** Errors found during the run, each with its evidence. */
  readonly faults: string[]
  /** Stops the actor and waits for requests in progress. */
  stop: () => Promise<void>
  /** Compares the records with the database after all traffic has stopped, and returns the errors. */
  check: () => Promise<string[]>
}

/** Loops until stopped, with a pause of up to `pauseMs` between iterations. */
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

/** Waits for an HTTP response. Returns null if the request fails or times out. */
export async function inTime<Answer>(asking: (signal: AbortSignal) => Promise<Answer>, withinMs = 12_000): Promise<Answer | null> {
  try {
    return await asking(AbortSignal.timeout(withinMs))
  } catch {
    return null
  }
}
