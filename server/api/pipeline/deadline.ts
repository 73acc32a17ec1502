/** Timeout for reading the key or service state, in milliseconds. Admission has separate timeouts. */
const timeoutMs = 2_000

/** Timeout for loading a new market snapshot, in milliseconds, once the service state has been read. A busy machine may take seconds to load a large market. */
export const snapshotTimeoutMs = 10_000

/** Error thrown if the database does not respond in time. The call fails without a charge, and the next call queries again. */
export class DeadlineError extends Error {
  override name = 'DeadlineError'
}

/** Waits for `work` with a timeout. A result that arrives later is not returned, but may still fill a cache. @throws DeadlineError on a timeout. */
export async function withinDeadline<Result>(work: Promise<Result>, withinMs = timeoutMs): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DeadlineError(`The database did not respond within ${withinMs} ms.`)), withinMs)
  })
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}
