import { errorCodes, errors } from '#server/api/contract/errors.ts'

/** Statuses that a call with a valid key can return. */
export const loggedStatuses: readonly number[] = [200, 304, ...new Set(errorCodes.map((code) => errors[code].status))]
  .filter((status) => status !== 401)
  .sort((a, b) => a - b)
