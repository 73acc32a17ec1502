/**
 * Collects a body in one buffer. A sender may send a byte at a time: kept as parts, each byte would cost more than a hundred.
 */
export class BodyBuffer {
  private readonly maxBytes: number
  private bytes = Buffer.alloc(0)
  private length = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** Copies a part. Returns false, and keeps nothing, if the body is longer than allowed. */
  add(part: Uint8Array): boolean {
    const length = this.length + part.length
    if (length > this.maxBytes) {
      this.bytes = Buffer.alloc(0)
      this.length = Number.POSITIVE_INFINITY
      return false
    }
    if (length > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(this.maxBytes, Math.max(length, 2 * this.bytes.length)))
      larger.set(this.bytes.subarray(0, this.length))
      this.bytes = larger
    }
    this.bytes.set(part, this.length)
    this.length = length
    return true
  }

  /** Returns the bytes so far, or null if the body is longer than allowed. */
  get body(): Buffer | null {
    return this.length > this.maxBytes ? null : this.bytes.subarray(0, this.length)
  }
}
