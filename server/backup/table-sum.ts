import { createHash } from 'node:crypto'
import type { TableSum } from './manifest.ts'

const newline = 10

/** Computes the row count, size and SHA-256 of a table's COPY data. Every row ends in a newline; COPY escapes newlines within values. */
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
