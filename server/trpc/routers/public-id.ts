import { z } from 'zod'

/** Public id, such as `key_…`. Other texts never reach the database, which can't store NUL characters. */
export const PublicId = z.string().regex(/^[a-z]{2,8}_[0-9A-Za-z]{1,60}$/, 'This is not a valid id.')
