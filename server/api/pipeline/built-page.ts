/** A built answer, kept as ready-made JSON, so that a cut costs no second serialisation. */
export type BuiltPage = {
  /** `"data":…` in full. */
  readonly data: string
  readonly dataBytes: number
  /** One JSON text for each row, and its key for a cursor; null for a single item. */
  readonly rows: readonly string[] | null
  readonly keys: readonly string[]
  /** Whether more rows follow the last one. */
  readonly more: boolean
  /** Weak tag over the data and the facts of the page, without its closing quote. */
  readonly tag: string
  readonly generatedAt: string
  readonly builtAt: number
  /** The cursor behind the last row, once it has been signed: it is the same for everyone who reads this page. */
  next?: string
  /** Version of the shared facts that it was built from. */
  readonly version: number
}
