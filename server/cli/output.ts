import { writeSync } from 'node:fs'

/** Writes the result of a command: one JSON document with `--json`, else lines for people. */
export function writeResult(result: object, lines: readonly string[], isJson: boolean): void {
  writeSync(1, isJson ? `${JSON.stringify(result)}\n` : lines.map((line) => `${line}\n`).join(''))
}

/** Writes a text as it is. It may be longer than a pipe holds, so this waits for the reader. */
export function writeText(text: string): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())))
}

/** Writes a fault. With `--json` standard output still holds exactly one document. */
export function writeFault(message: string, details: object, isJson: boolean): void {
  if (isJson) writeSync(1, `${JSON.stringify({ error: message, ...details })}\n`)
  else writeSync(2, `${message}\n`)
}
