import { encodePng, type Picture } from './png.ts'

/** A colour as one number. */
const colourAt = (pixels: Uint8Array, pixel: number): number =>
  ((pixels[pixel * 3] ?? 0) << 16) | ((pixels[pixel * 3 + 1] ?? 0) << 8) | (pixels[pixel * 3 + 2] ?? 0)

/** How far apart two colours are: the most by which a channel of them differs, of 255. */
const apart = (one: number, other: number): number =>
  Math.max(Math.abs((one >> 16) - (other >> 16)), Math.abs(((one >> 8) & 255) - ((other >> 8) & 255)), Math.abs((one & 255) - (other & 255)))

/** How many pixels have each colour. */
function countColours({ pixels }: Picture): Map<number, number> {
  const counts = new Map<number, number>()
  for (let pixel = 0; pixel < pixels.length / 3; pixel++) {
    const colour = colourAt(pixels, pixel)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  return counts
}

/** The most by which a colour may be kept as another one, of 255. Edges of letters are rounded with hundreds of colours between two; areas keep their own. */
const keptWithin = 5
/** The most by which a pixel may differ from the one that is kept and still be the same: a little more, since another processor may round otherwise. */
const sameWithin = 7
/** So many other pixels are still nothing: fewer than the edge of a button has that was moved by one. */
const mostOther = 20

/** The colours that a picture is kept with, the most used ones first, and the place of each of its own among them. */
function paletteOf(byCount: readonly number[], within: number): { readonly palette: readonly number[]; readonly places: ReadonlyMap<number, number> } {
  const palette: number[] = []
  const places = new Map<number, number>()
  for (const colour of byCount) {
    const like = palette.findIndex((kept) => apart(kept, colour) <= within)
    places.set(colour, like === -1 ? palette.push(colour) - 1 : like)
  }
  return { palette, places }
}

/**
 * Packs a picture into a small PNG with a palette, as true as 256 colours allow.
 * @throws when they do not do, which takes a photograph
 */
export function pack(picture: Picture): Buffer {
  const { width, height, pixels } = picture
  const byCount = [...countColours(picture)].sort(([, a], [, b]) => b - a).map(([colour]) => colour)
  for (let within = 0; within <= keptWithin; within++) {
    const { palette, places } = paletteOf(byCount, within)
    if (palette.length > 256) continue
    const bytes = palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255])
    const placed = Uint8Array.from({ length: width * height }, (_, pixel) => places.get(colourAt(pixels, pixel)) ?? 0)
    return encodePng(picture, Uint8Array.from(bytes), placed)
  }
  throw new Error('The picture has too many colours to be kept.')
}

export type Comparison = {
  readonly isSame: boolean
  /** How many pixels are other. */
  readonly other: number
  /** The new picture in grey, with what is other in red, as a PNG. */
  readonly difference: () => Buffer
}

/** Compares a picture with one that was kept. */
export function compare(kept: Picture, actual: Picture): Comparison {
  const { width, height, pixels } = actual
  const isSize = kept.width === width && kept.height === height
  const greys = new Uint8Array(width * height)
  let other = 0
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [was, is] = [colourAt(kept.pixels, pixel), colourAt(pixels, pixel)]
    if (isSize && (was === is || apart(was, is) <= sameWithin)) greys[pixel] = 1 + (((is >> 8) & 255) >> 1)
    else other++
  }
  // Place 0 is red, the others go from a middle grey to white.
  const palette = Uint8Array.from([255, 0, 0, ...Array.from({ length: 128 }, (_, light) => Array<number>(3).fill(128 + (light * 127) / 127)).flat()])
  return { isSame: other <= mostOther, other, difference: () => encodePng(actual, palette, greys) }
}
