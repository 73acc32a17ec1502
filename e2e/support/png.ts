import { crc32, deflateSync, inflateSync } from 'node:zlib'

/** Pixels of a picture, row by row from the top, three bytes each: red, green, blue. */
export type Picture = { readonly width: number; readonly height: number; readonly pixels: Uint8Array }

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Bytes per pixel of the colour types that browsers and `encodePng` write. */
const bytesPerPixel: Readonly<Record<number, number>> = { 2: 3, 3: 1, 6: 4 }

function readChunks(file: Buffer): { readonly name: string; readonly data: Buffer }[] {
  const chunks = []
  for (let at = signature.length; at < file.length; ) {
    const length = file.readUInt32BE(at)
    chunks.push({ name: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return chunks
}

/** Returns the Paeth prediction, as defined in the PNG specification. */
function paeth(left: number, above: number, corner: number): number {
  const [toLeft, toAbove, toCorner] = [Math.abs(above - corner), Math.abs(left - corner), Math.abs(left + above - 2 * corner)]
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}

type Filter = (left: number, above: number, corner: number) => number

/** Predictors by filter type. */
const filters: readonly Filter[] = [() => 0, (left) => left, (_, above) => above, (left, above) => (left + above) >> 1, paeth]

/**
 * Reverses the PNG filters of lines of `stride` bytes, each preceded by its filter type. The result is padded with a line of zeros above and `step` zeros (one
 * pixel) to the left of each line, as the filters expect.
 */
function unfilter(given: Uint8Array, stride: number, step: number): Uint8Array {
  const lines = given.length / (stride + 1)
  const whole = stride + step
  const bytes = new Uint8Array((lines + 1) * whole)
  for (let line = 0; line < lines; line++) {
    const from = line * (stride + 1)
    const filter = filters[given[from] ?? 0]
    if (filter === undefined) throw new Error('The PNG has an unknown filter type.')
    const start = (line + 1) * whole + step
    for (let x = 0; x < stride; x++) {
      const at = start + x
      bytes[at] = (given[from + 1 + x] ?? 0) + filter(bytes[at - step] ?? 0, bytes[at - whole] ?? 0, bytes[at - whole - step] ?? 0)
    }
  }
  return bytes
}

/** Decodes a PNG as written by browsers and `encodePng`: 8 bits, not interlaced, opaque. */
export function decodePng(file: Buffer): Picture {
  const chunks = readChunks(file)
  const data = (name: string) => Buffer.concat(chunks.filter((chunk) => chunk.name === name).map((chunk) => chunk.data))
  const head = data('IHDR')
  const [width, height, kind] = [head.readUInt32BE(0), head.readUInt32BE(4), head[9] ?? 0]
  const step = bytesPerPixel[kind]
  if (step === undefined || head[8] !== 8 || head[12] !== 0) throw new Error('This kind of PNG is not supported.')
  const bytes = unfilter(inflateSync(data('IDAT')), width * step, step)
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

/** Encodes a PNG with a palette of at most 256 colours, three bytes each. `indexes` has one byte per pixel: the palette index of its colour. */
export function encodePng({ width, height }: Pick<Picture, 'width' | 'height'>, palette: Uint8Array, indexes: Uint8Array): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 3, 0, 0, 0], 8)
  const lines = Buffer.alloc(height * (width + 1))
  for (let line = 0; line < height; line++) lines.set(indexes.subarray(line * width, (line + 1) * width), line * (width + 1) + 1)
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ])
}
