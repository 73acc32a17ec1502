import { z } from 'zod'

/** The id of a thing as callers know it, such as `key_…`. Whatever has another shape never reaches the database, which takes no NUL in a text. */
export const PublicId = z.string().regex(/^[a-z]{2,8}_[0-9A-Za-z]{1,60}$/, 'This is no id.')
