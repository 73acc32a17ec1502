/** Streams text lazily: the next piece is produced once the reader has taken the last one. Stops when the reader disconnects. */
export function textStream(pieces: AsyncIterator<string>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: async () => {
      await pieces.return?.()
    },
  })
}
