/** Response data serialised as JSON, row by row, so that a page can be cut without serialising it again. */
export type BuiltPage = {
  /** `"data":…` in full. */
  readonly data: string
  readonly dataBytes: number
  /** JSON of each row, with its cursor key in `keys`; null for a single item. */
  readonly rows: readonly string[] | null
  readonly keys: readonly string[]
  /** True if more rows follow the last one. */
  readonly more: boolean
  /** Weak ETag over the data and the properties of the page, without its closing quote. */
  readonly tag: string
  readonly generatedAt: string
  readonly builtAt: number
  /** Cursor after the last row, once it has been signed. It is the same for every reader of this page. */
  next?: string
  /** Version of the shared state that it was built from. */
  readonly version: number
}
