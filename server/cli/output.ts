import { writeSync } from 'node:fs'

/** Writes the result of a command: one JSON document with `--json`, else human-readable lines. */
export function writeResult(result: object, lines: readonly string[], isJson: boolean): void {
  writeSync(1, isJson ? `${JSON.stringify(result)}\n` : lines.map((line) => `${line}\n`).join(''))
}

/** Writes a text unchanged. Waits for the reader, because the text may exceed the buffer of a pipe. */
export function writeText(text: string): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())))
}

/** Writes an error. With `--json`, standard output still contains exactly one document. */
export function writeFault(message: string, details: object, isJson: boolean): void {
  if (isJson) writeSync(1, `${JSON.stringify({ error: message, ...details })}\n`)
  else writeSync(2, `${message}\n`)
}
