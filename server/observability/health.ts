/** Readiness to serve, part by part; `ok` is true if all of them are. */
export type Readiness = {
  readonly ok: boolean
  readonly database: boolean
  /** Whether the database takes writes; null: unknown, because it does not answer. */
  readonly writable: boolean | null
  /** Whether no migration is missing; null: unknown, because the database does not answer. */
  readonly migrated: boolean | null
  readonly market: boolean
}

/** What the two health addresses answer. */
export type Health<Body extends object = Readiness> = {
  /** The process runs. */
  live: () => { status: number; body: object }
  /** The process can serve: database reachable and writable, migrated, market loaded. */
  ready: () => Promise<{ status: number; body: Body }>
}
