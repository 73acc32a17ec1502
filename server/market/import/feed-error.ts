/** One thing that is wrong with a feed. Lines count from 1; `field` is null when the line as a whole is at fault. */
export type FeedFault = { readonly line: number; readonly field: string | null; readonly problem: string }

/** Faulty lines that are told one by one; beyond it they are only counted. */
export const maximumLinesTold = 100

function describe({ line, field, problem }: FeedFault): string {
  return `  line ${line}: ${field === null ? '' : `${field} `}${problem}`
}

/** A feed that was refused whole. `faults` are those of the first 100 faulty lines, `faultyLines` counts all of them. */
export class FeedError extends Error {
  readonly fileName: string
  readonly faults: readonly FeedFault[]
  readonly faultyLines: number

  constructor(fileName: string, faults: readonly FeedFault[], faultyLines: number) {
    const count = faultyLines === 1 ? '1 faulty line' : `${faultyLines} faulty lines`
    const untold = faultyLines - new Set(faults.map(({ line }) => line)).size
    const rest = untold > 0 ? [`  … and ${untold} more faulty lines`] : []
    super([`${fileName}: ${count}, nothing was imported.`, ...faults.map(describe), ...rest].join('\n'))
    this.name = 'FeedError'
    this.fileName = fileName
    this.faults = faults
    this.faultyLines = faultyLines
  }
}

/** Collects faults, keeping those of the first 100 lines and counting the lines of the rest. */
export class FaultList {
  readonly #told = new Map<number, FeedFault[]>()
  readonly #untold = new Set<number>()
  /** Faulty lines of another list, of which only the number is known. */
  #others = 0

  add(line: number, field: string | null, problem: string): void {
    const fault = { line, field, problem }
    const known = this.#told.get(line)
    if (known) known.push(fault)
    else if (this.#told.size < maximumLinesTold) this.#told.set(line, [fault])
    else this.#untold.add(line)
  }

  /** Adds what another list threw. */
  addAll({ faults, faultyLines }: FeedError): void {
    for (const { line, field, problem } of faults) this.add(line, field, problem)
    this.#others += faultyLines - new Set(faults.map(({ line }) => line)).size
  }

  /** Throws what was collected, lines in order; does nothing when there is no fault. */
  throwIfAny(fileName: string): void {
    if (this.#told.size === 0) return
    const faults = [...this.#told.values()].flat().sort((a, b) => a.line - b.line)
    throw new FeedError(fileName, faults, this.#told.size + this.#untold.size + this.#others)
  }
}
