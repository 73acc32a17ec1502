/** Period of the run, in `performance.now()` times of the test process. */
export type Window = { readonly from: number; readonly to: number }

type Ask = Window & { readonly ok: boolean }

/** `askedOutside` and `answeredOutside` count only the calls that began and ended outside injected failures. */
export type Availability = { readonly asked: number; readonly answered: number; readonly askedOutside: number; readonly answeredOutside: number }

/**
 * Counts the calls of one kind. A call counts as answered if it gets a response in time, including a documented rejection but not a server error. There is no
 * load balancer, so a call to a process that is down counts as unanswered.
 */
export class LoadKind {
  readonly name: string
  private readonly asks: Ask[] = []

  constructor(name: string) {
    this.name = name
  }

  /** Records a call that started at the given time and has just ended. */
  note(from: number, ok: boolean): void {
    this.asks.push({ from, to: performance.now(), ok })
  }

  /** Returns the times of calls that failed outside injected failures. */
  failuresOutside(windows: readonly Window[]): number[] {
    return this.outside(windows).flatMap(({ from, ok }) => (ok ? [] : [from]))
  }

  over(windows: readonly Window[]): Availability {
    const outside = this.outside(windows)
    const good = (asks: readonly Ask[]) => asks.filter(({ ok }) => ok).length
    return { asked: this.asks.length, answered: good(this.asks), askedOutside: outside.length, answeredOutside: good(outside) }
  }

  private outside(windows: readonly Window[]): Ask[] {
    return this.asks.filter((ask) => !windows.some(({ from, to }) => ask.to >= from && ask.from <= to))
  }
}
