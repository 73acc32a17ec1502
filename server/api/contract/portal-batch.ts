/** Maximum tRPC calls in one batched portal request. Each can run a slow query, and all requests share the same database connections. */
export const maxRequests = 10
