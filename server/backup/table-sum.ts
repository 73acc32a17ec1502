import { createHash } from 'node:crypto'
import type { TableSum } from './manifest.ts'

const newline = 10

/** Adds up what passes by of a table: its rows, which end in a newline each (COPY writes one within a value in another way), its bytes, and their SHA-256. */
export class TableSummer {
  readonly #hash = createHash('sha256')
  #rows = 0
  #bytes = 0

  add(piece: Buffer): void {
    this.#hash.update(piece)
    this.#bytes += piece.length
    for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, at + 1)) this.#rows += 1
  }

  get rows(): number {
    return this.#rows
  }

  sum(): TableSum {
    return { rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }
}
