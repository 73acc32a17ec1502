import { createHmac } from 'node:crypto'

const length = 22

/** Properties that a tag covers, besides the data. */
export type Tagged = {
  /** Endpoint, parameters, page size, fields and cursor. */
  readonly target: string
  /** Mode, and the fields that depend on the plan. */
  readonly variant: number
  readonly more: boolean
}

/**
 * Computes the weak ETags of pages. They are keyed with the secret of the service, so that a tag alone can't be used to guess the data. Every process with
 * the same secret computes the same tag.
 */
export class PageTags {
  private readonly key: Buffer

  constructor(secret: string) {
    this.key = createHmac('sha256', secret).update('tags of pages').digest()
  }

  /** Returns the tag of a page, without its closing quote. */
  of({ target, variant, more }: Tagged, data: string): string {
    const digest = createHmac('sha256', this.key)
      .update(`${JSON.stringify([target, variant, more])}\0`)
      .update(data)
      .digest('base64url')
    return `W/"${digest.slice(0, length)}`
  }
}
