/** Request that is sent repeatedly with different keys. */
export type LoadRequest = {
  readonly path: string
  /** Paths used in rotation instead of `path`. */
  readonly paths?: readonly string[]
  /** Header lines in addition to Host, Authorization and Content-Length. */
  readonly headers: readonly string[]
  /** Body to post; null for a GET. */
  readonly body: string | null
}

/** Parameters of one run of the load generator. Plain data, sent to another process as JSON. */
export type LoadOrder = {
  /** Port on 127.0.0.1. */
  readonly port: number
  readonly request: LoadRequest
  /** API keys. The requests use them in rotation. */
  readonly keys: readonly string[]
  readonly connections: number
  readonly warmUpSeconds: number
  readonly seconds: number
}

export type LoadResult = {
  /** Total number of responses, including late ones and those during warm-up. Must match the ledger. */
  readonly answered: number
  readonly notOk: number
  /** Total credits that the responses report as charged, and the number of 200s without a charge. */
  readonly credits: number
  readonly uncharged: number
  /** Figures for the measured window only. */
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly longestMs: number
  /** CPU time of the load generator itself, in microseconds per request. */
  readonly loadCpuMicros: number
  /** First response that was not a 200, for the error message. */
  readonly firstFault: string | null
}
