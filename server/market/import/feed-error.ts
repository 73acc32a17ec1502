/** Fault in a feed. Lines count from 1; `field` is null if the whole line is faulty. */
export type FeedFault = { readonly line: number; readonly field: string | null; readonly problem: string }

/** Maximum number of faulty lines listed; further lines are only counted. */
export const maxListedLines = 100

function describe({ line, field, problem }: FeedFault): string {
  return `  line ${line}: ${field === null ? '' : `${field} `}${problem}`
}

/** Thrown for an invalid feed; nothing is imported. `faults` covers the first 100 faulty lines, `faultyLines` counts all of them. */
export class FeedError extends Error {
  readonly fileName: string
  readonly faults: readonly FeedFault[]
  readonly faultyLines: number

  constructor(fileName: string, faults: readonly FeedFault[], faultyLines: number) {
    const count = faultyLines === 1 ? '1 faulty line' : `${faultyLines} faulty lines`
    const unlisted = faultyLines - new Set(faults.map(({ line }) => line)).size
    const rest = unlisted > 0 ? [`  … and ${unlisted} more faulty lines`] : []
    super([`${fileName}: ${count}. Nothing was imported.`, ...faults.map(describe), ...rest].join('\n'))
    this.name = 'FeedError'
    this.fileName = fileName
    this.faults = faults
    this.faultyLines = faultyLines
  }
}

/** Collects faults: the details of the first 100 faulty lines, and a count of the rest. */
export class FaultList {
  readonly #listed = new Map<number, FeedFault[]>()
  readonly #unlisted = new Set<number>()
  /** Number of faulty lines of another list without details. */
  #others = 0

  add(line: number, field: string | null, problem: string): void {
    const fault = { line, field, problem }
    const known = this.#listed.get(line)
    if (known) known.push(fault)
    else if (this.#listed.size < maxListedLines) this.#listed.set(line, [fault])
    else this.#unlisted.add(line)
  }

  /** Adds the faults of another list. */
  addAll({ faults, faultyLines }: FeedError): void {
    for (const { line, field, problem } of faults) this.add(line, field, problem)
    this.#others += faultyLines - new Set(faults.map(({ line }) => line)).size
  }

  /** Throws the collected faults in order of line; does nothing if there are none. */
  throwIfAny(fileName: string): void {
    if (this.#listed.size === 0) return
    const faults = [...this.#listed.values()].flat().sort((a, b) => a.line - b.line)
    throw new FeedError(fileName, faults, this.#listed.size + this.#unlisted.size + this.#others)
  }
}
