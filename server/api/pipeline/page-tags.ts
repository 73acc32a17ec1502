import { createHmac } from 'node:crypto'

const length = 22

/** What a tag stands for, beside the data themselves. */
export type Tagged = {
  /** Endpoint, parameters, page size, fields and cursor. */
  readonly target: string
  /** Mode, and the fields that depend on the plan. */
  readonly variant: number
  readonly more: boolean
}

/**
 * Writes the weak tags of pages. They are keyed with the secret of the service: whoever is given a tag, but not the page, cannot try out which data it
 * belongs to. Every process with the same secret writes the same tag.
 */
export class PageTags {
  private readonly key: Buffer

  constructor(secret: string) {
    this.key = createHmac('sha256', secret).update('tags of pages').digest()
  }

  /** The tag of a page, without its closing quote. */
  of({ target, variant, more }: Tagged, data: string): string {
    const digest = createHmac('sha256', this.key)
      .update(`${JSON.stringify([target, variant, more])}\0`)
      .update(data)
      .digest('base64url')
    return `W/"${digest.slice(0, length)}`
  }
}
