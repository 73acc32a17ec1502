#!/usr/bin/env node
/** Command line of the package: `savings-rates rates --type easy-access --format csv`. */
import process from 'node:process'
import { run } from './run.ts'

// Failed writes are reported to their callbacks.
process.stdout.on('error', () => undefined)
// The reader of standard error has exited.
process.stderr.on('error', () => undefined)

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  out: (text) => new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve()))),
  err: (text) => void process.stderr.write(text),
  catchInterrupt: () => {
    const ending = new AbortController()
    // A second Ctrl+C ends the program immediately.
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort())
    return ending.signal
  },
})
