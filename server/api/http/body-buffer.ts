/** Collects a body in one buffer. A sender may send one byte at a time: stored as separate chunks, each byte would take more than 100 bytes of memory. */
export class BodyBuffer {
  private readonly maxBytes: number
  private bytes = Buffer.alloc(0)
  private length = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** Appends a chunk. Returns false, and discards the body, if it exceeds the limit. */
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

  /** Returns the bytes received so far, or null if the body exceeds the limit. */
  get body(): Buffer | null {
    return this.length > this.maxBytes ? null : this.bytes.subarray(0, this.length)
  }
}
