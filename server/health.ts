/** What the two health addresses answer. */
export type Health = {
  /** The process runs. */
  live: () => { status: number; body: object }
  /** The process can serve: database reachable, migrated, market loaded. */
  ready: () => Promise<{ status: number; body: object }>
}
