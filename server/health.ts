/** What is needed to serve: each part is there or not, and `ok` is all of them. */
export type Readiness = { readonly ok: boolean; readonly database: boolean; readonly migrated: boolean; readonly market: boolean }

/** What the two health addresses answer. */
export type Health<Body extends object = Readiness> = {
  /** The process runs. */
  live: () => { status: number; body: object }
  /** The process can serve: database reachable, migrated, market loaded. */
  ready: () => Promise<{ status: number; body: Body }>
}
