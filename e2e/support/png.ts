import { crc32, deflateSync, inflateSync } from 'node:zlib'

/** A picture as its pixels, row by row from the top, three bytes each: red, green, blue. */
export type Picture = { readonly width: number; readonly height: number; readonly pixels: Uint8Array }

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Kinds of pixels that browsers and `encodePng` write, by their number in the file, with the bytes of each. */
const bytesOfKind: Readonly<Record<number, number>> = { 2: 3, 3: 1, 6: 4 }

function chunksOf(file: Buffer): { readonly name: string; readonly data: Buffer }[] {
  const chunks = []
  for (let at = signature.length; at < file.length; ) {
    const length = file.readUInt32BE(at)
    chunks.push({ name: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return chunks
}

/** Of left, above and above left, the one that is nearest to where the three of them point. */
function paeth(left: number, above: number, corner: number): number {
  const [toLeft, toAbove, toCorner] = [Math.abs(above - corner), Math.abs(left - corner), Math.abs(left + above - 2 * corner)]
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}

type Guess = (left: number, above: number, corner: number) => number

/** How a byte is guessed, by the number at the start of its line. */
const guesses: readonly Guess[] = [() => 0, (left) => left, (_, above) => above, (left, above) => (left + above) >> 1, paeth]

/**
 * Undoes the guesses of lines of `stride` bytes, each behind the number of its guess. What is answered has a line of zeros above and `step` of them, the
 * bytes of a pixel, at the left of each line: there every guess begins.
 */
function undoGuesses(given: Uint8Array, stride: number, step: number): Uint8Array {
  const lines = given.length / (stride + 1)
  const whole = stride + step
  const bytes = new Uint8Array((lines + 1) * whole)
  for (let line = 0; line < lines; line++) {
    const from = line * (stride + 1)
    const guess = guesses[given[from] ?? 0]
    if (guess === undefined) throw new Error('The picture has a line of a kind that there is not.')
    const start = (line + 1) * whole + step
    for (let x = 0; x < stride; x++) {
      const at = start + x
      bytes[at] = (given[from + 1 + x] ?? 0) + guess(bytes[at - step] ?? 0, bytes[at - whole] ?? 0, bytes[at - whole - step] ?? 0)
    }
  }
  return bytes
}

/** Reads a PNG as browsers and `encodePng` write it: 8 bits, not interlaced, without a transparent spot. */
export function decodePng(file: Buffer): Picture {
  const chunks = chunksOf(file)
  const data = (name: string) => Buffer.concat(chunks.filter((chunk) => chunk.name === name).map((chunk) => chunk.data))
  const head = data('IHDR')
  const [width, height, kind] = [head.readUInt32BE(0), head.readUInt32BE(4), head[9] ?? 0]
  const step = bytesOfKind[kind]
  if (step === undefined || head[8] !== 8 || head[12] !== 0) throw new Error('The picture is a PNG of a kind that is not read here.')
  const bytes = undoGuesses(inflateSync(data('IDAT')), width * step, step)
  const palette = kind === 3 ? data('PLTE') : null
  const colours = palette ?? bytes
  const pixels = new Uint8Array(width * height * 3)
  for (let pixel = 0; pixel < width * height; pixel++) {
    const at = ((Math.floor(pixel / width) + 1) * (width + 1) + 1 + (pixel % width)) * step
    const start = palette === null ? at : (bytes[at] ?? 0) * 3
    for (let channel = 0; channel < 3; channel++) pixels[pixel * 3 + channel] = colours[start + channel] ?? 0
  }
  return { width, height, pixels }
}

function chunk(name: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** Writes a PNG with a palette of at most 256 colours. `places` has a byte for each pixel: where its colour is in the palette, which has three bytes a colour. */
export function encodePng({ width, height }: Pick<Picture, 'width' | 'height'>, palette: Uint8Array, places: Uint8Array): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 3, 0, 0, 0], 8)
  const lines = Buffer.alloc(height * (width + 1))
  for (let line = 0; line < height; line++) lines.set(places.subarray(line * width, (line + 1) * width), line * (width + 1) + 1)
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ])
}
