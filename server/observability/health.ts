/** Readiness by component; `ok` is true if all of them are ready. */
export type Readiness = {
  readonly ok: boolean
  readonly database: boolean
  /** True if the database accepts writes; null: unknown, because it does not answer. */
  readonly writable: boolean | null
  /** True if no migration is pending; null: unknown, because the database does not answer. */
  readonly migrated: boolean | null
  readonly market: boolean
}

/** Handlers of the two health endpoints. */
export type Health<Body extends object = Readiness> = {
  /** Returns the liveness response: the process is running. */
  live: () => { status: number; body: object }
  /** Returns the readiness response: database reachable and writable, migrations applied, market loaded. */
  ready: () => Promise<{ status: number; body: Body }>
}
