import { writeSync } from 'node:fs'

/** How often a line is written over, at most. */
const everyMs = 100
const barWidth = 20

/** What goes on with a file or a source. `share` is how much of its bytes has been read, from 0 to 1, where that is known. */
export type Step = { readonly name: string; readonly phase: string; readonly share?: number | null; readonly records?: number | null }

/** Where progress is shown. */
export type Terminal = { readonly isTerminal: boolean; readonly write: (text: string) => void; readonly now: () => number }

export type Progress = { readonly say: (step: Step) => void; readonly end: () => void }

const standardError: Terminal = { isTerminal: process.stderr.isTTY === true, write: (text) => void writeSync(2, text), now: () => performance.now() }

function barOf(share: number): string {
  const done = Math.floor(Math.min(1, Math.max(0, share)) * 100)
  const filled = Math.floor((done * barWidth) / 100)
  return `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}] ${String(done).padStart(3)} %`
}

function lineOf({ name, phase, share = null, records = null }: Step): string {
  const parts = [`${name}: ${phase}`]
  if (share !== null) parts.push(barOf(share))
  if (records !== null) parts.push(`${records.toLocaleString('en-GB')} records`)
  return parts.join('  ')
}

/** A line on standard error that is written over as something goes on; nothing at all where standard error is no terminal. */
export function progressLine({ isTerminal, write, now }: Terminal = standardError): Progress {
  if (!isTerminal) return { say: () => undefined, end: () => undefined }
  let [saidAt, said] = [Number.NEGATIVE_INFINITY, '']
  return {
    say: (step) => {
      // A new phase is always told: it may be the last word for a while.
      const phase = `${step.name} ${step.phase}`
      if (phase === said && now() - saidAt < everyMs) return
      saidAt = now()
      said = phase
      write(`\r\u001B[K${lineOf(step)}`)
    },
    end: () => write('\r\u001B[K'),
  }
}
