import { writeSync } from 'node:fs'

/** How often a line is written over, at most. */
const everyMs = 100

/** A line on standard error that is written over as something goes on; nothing at all where standard error is no terminal. */
export function progressLine(): { readonly say: (text: string, isLast?: boolean) => void; readonly end: () => void } {
  if (!process.stderr.isTTY) return { say: () => undefined, end: () => undefined }
  let saidAt = 0
  return {
    say: (text, isLast = false) => {
      const now = performance.now()
      if (!isLast && now - saidAt < everyMs) return
      saidAt = now
      writeSync(2, `\r\u001B[K${text}`)
    },
    end: () => void writeSync(2, '\r\u001B[K'),
  }
}
