import { z } from 'zod'

/** Public id, such as `key_…`. Other text, which may contain NUL, never reaches the database. */
export const PublicId = z.string().regex(/^[a-z]{2,8}_[0-9A-Za-z]{1,60}$/, 'This is not a valid id.')
