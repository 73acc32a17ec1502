/** Text that is made piece by piece as the body of an answer: the next piece is made when the reader has taken the last one, and none after it has left. */
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
