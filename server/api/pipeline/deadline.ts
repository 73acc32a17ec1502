/** What a caller waits for facts from the database at most. The admission path has bounds of its own. */
const waitMs = 2_000

/** The database did not answer in time. The call failed uncharged; whoever comes next asks anew. */
export class DeadlineError extends Error {
  override name = 'DeadlineError'
}

/** Waits for `work`, but not for ever. Work that ends too late is dropped: it changes nothing but a cache. */
export async function withinDeadline<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DeadlineError(`The database did not answer within ${waitMs} ms.`)), waitMs)
  })
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}
