import { z } from 'zod'

/** What every asset says besides its key. */
export const assetFields = {
  name: z.string().describe('Name of what is shown.'),
  url: z.url().describe('Absolute address of the same picture.'),
  contentType: z.string().describe('Media type of the content, such as image/svg+xml.'),
  width: z.int().nullable().describe('In pixels; null when the picture has no size of its own.'),
  height: z.int().nullable().describe('In pixels; null when the picture has no size of its own.'),
  licenceNote: z.string().describe('What the picture may be used for.'),
  sizeBytes: z.int().describe('Length of the content in bytes, once decoded.'),
  contentBase64: z.base64().describe('The content, base64.'),
}

export const licenceNote =
  'Drawn by this service and free to show with the data under the Data Licence. It is not the trade mark of the firm; names may be trade marks of their owners.'

/** An SVG of a size in pixels, as an asset carries it. */
export function svgContent(svg: string, width: number, height: number) {
  const bytes = Buffer.from(svg)
  return { contentType: 'image/svg+xml', width, height, licenceNote, sizeBytes: bytes.length, contentBase64: bytes.toString('base64') }
}
