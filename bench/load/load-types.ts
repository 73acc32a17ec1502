/** A request that is sent again and again; only the key changes. */
export type LoadRequest = {
  readonly path: string
  /** Header lines beside Host, Authorization and Content-Length. */
  readonly headers: readonly string[]
  /** What is posted; null: a GET. */
  readonly body: string | null
}

/** What one run of the load generator is to do. Plain data: it crosses to another process as JSON. */
export type LoadOrder = {
  /** Ports on 127.0.0.1; the connections are dealt out to them in turn. */
  readonly ports: readonly number[]
  readonly request: LoadRequest
  /** API keys, used in rotation over all requests. */
  readonly keys: readonly string[]
  readonly connections: number
  readonly warmUpSeconds: number
  readonly seconds: number
}

export type LoadResult = {
  /** Everything that was answered, warm-up and last answers included: what the ledger has to show. */
  readonly answered: number
  readonly notOk: number
  /** Credits that the answers claim, and how many 200s claimed none. */
  readonly credits: number
  readonly uncharged: number
  /** The measured window only. */
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly longestMs: number
  /** Processor time of the load generator itself, in microseconds a request. */
  readonly loadCpuMicros: number
  /** The first answer that was not a 200, for the error message. */
  readonly firstFault: string | null
}
