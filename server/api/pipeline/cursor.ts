import { createHmac, timingSafeEqual } from 'node:crypto'
import { invalid } from '#server/api/contract/errors.ts'

const tagBytes = 12

/**
 * Signs and verifies list cursors, which are opaque to callers. A cursor contains the key of the last row sent. The signature binds it to the path, the
 * filters and the mode, but not to `limit` and `fields`, which may change from page to page.
 */
export class Cursors {
  private readonly secret: string

  constructor(secret: string) {
    this.secret = secret
  }

  private sign(key: string, binding: string): Buffer {
    return createHmac('sha256', this.secret).update(`cursor\0${binding}\0${key}`).digest().subarray(0, tagBytes)
  }

  write(key: string, binding: string): string {
    return Buffer.concat([this.sign(key, binding), Buffer.from(key)]).toString('base64url')
  }

  /** @throws RefusedError (400) if the cursor was modified or belongs to another query. */
  read(cursor: string, binding: string): string {
    const bytes = Buffer.from(cursor, 'base64url')
    const key = bytes.subarray(tagBytes).toString()
    const isWhole = bytes.length > tagBytes && bytes.toString('base64url') === cursor
    if (!isWhole || !timingSafeEqual(bytes.subarray(0, tagBytes), this.sign(key, binding))) {
      throw invalid('"cursor" does not belong to this query. Pass meta.nextCursor unchanged, and keep the path and the filters the same.')
    }
    return key
  }
}
