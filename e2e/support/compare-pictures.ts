import { encodePng, type Picture } from './png.ts'

/** Packs a colour into one number. */
const colourAt = (pixels: Uint8Array, pixel: number): number =>
  ((pixels[pixel * 3] ?? 0) << 16) | ((pixels[pixel * 3 + 1] ?? 0) << 8) | (pixels[pixel * 3 + 2] ?? 0)

/** Returns the distance between two colours: the largest difference in any channel, 0 to 255. */
const colourDistance = (one: number, other: number): number =>
  Math.max(Math.abs((one >> 16) - (other >> 16)), Math.abs(((one >> 8) & 255) - ((other >> 8) & 255)), Math.abs((one & 255) - (other & 255)))

function countColours({ pixels }: Picture): Map<number, number> {
  const counts = new Map<number, number>()
  for (let pixel = 0; pixel < pixels.length / 3; pixel++) {
    const colour = colourAt(pixels, pixel)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  return counts
}

/** Largest distance at which colours are merged. Merging replaces the many intermediate colours of antialiased text, but keeps the colours of areas. */
const maxMergeDistance = 5
/** Largest distance at which pixels count as equal. Exceeds the merge distance slightly, because another CPU may round differently. */
const maxPixelDistance = 7
/** Maximum number of differing pixels. Moving a button by one pixel changes more. */
const maxDifferentPixels = 20

/** Returns the palette of a picture, most used colours first, and the palette index of each of its colours. */
function buildPalette(byCount: readonly number[], within: number): { readonly palette: readonly number[]; readonly indexes: ReadonlyMap<number, number> } {
  const palette: number[] = []
  const indexes = new Map<number, number>()
  for (const colour of byCount) {
    const similar = palette.findIndex((kept) => colourDistance(kept, colour) <= within)
    indexes.set(colour, similar === -1 ? palette.push(colour) - 1 : similar)
  }
  return { palette, indexes }
}

/**
 * Encodes a picture as a PNG with a palette, as accurately as 256 colours allow.
 * @throws if 256 colours aren't enough, for example for a photograph
 */
export function pack(picture: Picture): Buffer {
  const { width, height, pixels } = picture
  const byCount = [...countColours(picture)].sort(([, a], [, b]) => b - a).map(([colour]) => colour)
  for (let within = 0; within <= maxMergeDistance; within++) {
    const { palette, indexes } = buildPalette(byCount, within)
    if (palette.length > 256) continue
    const bytes = palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255])
    const indexed = Uint8Array.from({ length: width * height }, (_, pixel) => indexes.get(colourAt(pixels, pixel)) ?? 0)
    return encodePng(picture, Uint8Array.from(bytes), indexed)
  }
  throw new Error('The picture has too many colours for a palette.')
}

export type Comparison = {
  readonly isSame: boolean
  /** Number of differing pixels. */
  readonly other: number
  /** Returns the new picture in grey with differences in red, as a PNG. */
  readonly difference: () => Buffer
}

/** Compares a picture with a stored one. */
export function compare(kept: Picture, actual: Picture): Comparison {
  const { width, height, pixels } = actual
  const isSize = kept.width === width && kept.height === height
  const greys = new Uint8Array(width * height)
  let other = 0
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [was, is] = [colourAt(kept.pixels, pixel), colourAt(pixels, pixel)]
    if (isSize && (was === is || colourDistance(was, is) <= maxPixelDistance)) greys[pixel] = 1 + (((is >> 8) & 255) >> 1)
    else other++
  }
  // Index 0 is red; the others range from medium grey to white.
  const palette = Uint8Array.from([255, 0, 0, ...Array.from({ length: 128 }, (_, light) => Array<number>(3).fill(128 + (light * 127) / 127)).flat()])
  return { isSame: other <= maxDifferentPixels, other, difference: () => encodePng(actual, palette, greys) }
}
