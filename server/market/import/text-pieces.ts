const pieceLength = 1 << 20

/** Splits a text into chunks and tracks the share consumed. */
export function inPieces(text: string): { readonly pieces: AsyncGenerator<string>; readonly share: () => number } {
  let at = 0
  async function* pieces() {
    while (at < text.length) {
      const piece = text.slice(at, at + pieceLength)
      at += piece.length
      yield piece
    }
  }
  return { pieces: pieces(), share: () => (text === '' ? 1 : at / text.length) }
}
