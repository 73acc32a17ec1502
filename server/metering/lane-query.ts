import type { Connection, Submittable } from 'pg'

export type LaneRow = readonly (string | null)[]

/** What pg keeps of a connection, and writes itself when a statement with a name was prepared. */
type PreparingConnection = Connection & { readonly parsedStatements: { readonly [name: string]: string | undefined } }

/**
 * A statement that answers one row of text, as pg is handed it. It goes without what pg does for a statement of which nothing is known: having the columns
 * described each time, taking a result of any shape apart, and finding out what the values are.
 */
export class LaneQuery implements Submittable {
  readonly name: string
  readonly text: string
  private readonly values: string[]
  /** Public, and called that, because pg puts its own around it where an address sets `query_timeout`. */
  callback: (error: Error | null, row: LaneRow) => void
  private row: LaneRow = []

  /** `name`: what the statement is prepared under, once a connection; empty: it is not. */
  constructor(name: string, text: string, values: string[], callback: (error: Error | null, row: LaneRow) => void) {
    this.name = name
    this.text = text
    this.values = values
    this.callback = callback
  }

  /** Sends everything at once. */
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

  handleDataRow({ fields }: { fields: LaneRow }): void {
    this.row = fields
  }

  handleReadyForQuery(): void {
    this.callback(null, this.row)
  }

  handleError(error: Error): void {
    this.callback(error, [])
  }

  handleCommandComplete(): void {
    // The row has been taken down, and it is told when the server says that it is ready.
  }
}
