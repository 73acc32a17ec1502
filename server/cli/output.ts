import { writeSync } from 'node:fs'

/** Writes the result of a command: one JSON document with `--json`, else human-readable lines. */
export function writeResult(result: object, lines: readonly string[], isJson: boolean): void {
  writeSync(1, isJson ? `${JSON.stringify(result)}\n` : lines.map((line) => `${line}\n`).join(''))
}

/** Writes a string as is. Resolves once it has been flushed, because it may be larger than the pipe's buffer. */
export function writeText(text: string): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())))
}

/** Writes an error. With `--json`, standard output still contains exactly one document. */
export function writeFault(message: string, details: object, isJson: boolean): void {
  if (isJson) writeSync(1, `${JSON.stringify({ error: message, ...details })}\n`)
  else writeSync(2, `${message}\n`)
}

/** Minimum interval between two updates of the progress line. */
const intervalMs = 100
const barWidth = 20

/** Progress of a file or source. `share` is the fraction of bytes read, from 0 to 1, if known. */
type Step = { readonly name: string; readonly phase: string; readonly share?: number | null; readonly records?: number | null }

/** Output that the progress line is written to. */
export type Terminal = { readonly isTerminal: boolean; readonly write: (text: string) => void; readonly now: () => number }

export type Progress = { readonly say: (step: Step) => void; readonly end: () => void }

const standardError: Terminal = { isTerminal: process.stderr.isTTY === true, write: (text) => void writeSync(2, text), now: () => performance.now() }

function getBar(share: number): string {
  const done = Math.floor(Math.min(1, Math.max(0, share)) * 100)
  const filled = Math.floor((done * barWidth) / 100)
  return `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}] ${String(done).padStart(3)} %`
}

function getLine({ name, phase, share = null, records = null }: Step): string {
  const parts = [`${name}: ${phase}`]
  if (share !== null) parts.push(getBar(share))
  if (records !== null) parts.push(`${records.toLocaleString('en-GB')} records`)
  return parts.join('  ')
}

/** Returns a progress line on standard error that is updated in place; shows nothing if standard error is not a terminal. */
export function progressLine({ isTerminal, write, now }: Terminal = standardError): Progress {
  if (!isTerminal) return { say: () => undefined, end: () => undefined }
  let [saidAt, said] = [Number.NEGATIVE_INFINITY, '']
  return {
    say: (step) => {
      // A new phase is always shown, because the next update may take a while.
      const phase = `${step.name} ${step.phase}`
      if (phase === said && now() - saidAt < intervalMs) return
      saidAt = now()
      said = phase
      write(`\r\u001B[K${getLine(step)}`)
    },
    end: () => write('\r\u001B[K'),
  }
}
