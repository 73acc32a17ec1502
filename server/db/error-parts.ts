/** Returns the code of a Node or PostgreSQL error ('ENOENT', '57P03'), or an empty string. */
export const getCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''

export const getMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))
