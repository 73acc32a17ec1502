import type { Connection, Submittable } from 'pg'

export type TextRow = readonly (string | null)[]

/** pg connection with its internal record of prepared statements, which maps the name of each to its SQL. */
type PreparingConnection = Connection & { readonly parsedStatements: { readonly [name: string]: string | undefined } }

/**
 * Query that returns one row of text columns. Skips the work that pg does for arbitrary statements: describing the columns each time, parsing results of any
 * shape, and detecting value types.
 */
export class SingleRowQuery implements Submittable {
  readonly name: string
  readonly text: string
  private readonly values: string[]
  /** Must be public and have this name, because pg replaces it with a wrapper if the connection URL sets `query_timeout`. */
  callback: (error: Error | null, row: TextRow) => void
  private row: TextRow = []

  /** Each connection prepares the statement once, under `name`. If `name` is empty, the statement is not prepared. */
  constructor(name: string, text: string, values: string[], callback: (error: Error | null, row: TextRow) => void) {
    this.name = name
    this.text = text
    this.values = values
    this.callback = callback
  }

  /** Sends all protocol messages in one write. */
  submit(connection: Connection): void {
    const { name, text, values } = this
    const isPrepared = name !== '' && (connection as PreparingConnection).parsedStatements[name] === text
    connection.stream.cork()
    if (!isPrepared) connection.parse({ name, text, types: [] }, true)
    connection.bind({ statement: name, values }, true)
    connection.execute(null, true)
    connection.sync()
    connection.stream.uncork()
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.row = fields
  }

  handleReadyForQuery(): void {
    this.callback(null, this.row)
  }

  handleError(error: Error): void {
    this.callback(error, [])
  }

  handleCommandComplete(): void {
    // The row is already stored; the callback runs on ReadyForQuery.
  }
}
