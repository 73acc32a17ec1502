import { z } from 'zod'

/** Fields of every asset, except its key. */
export const assetFields = {
  name: z.string().describe('Name of the card or provider.'),
  url: z.url().describe('Absolute URL of the same image.'),
  contentType: z.string().describe('Media type of the content, such as image/svg+xml.'),
  width: z.int().nullable().describe('Width in pixels; null if the image has no intrinsic size.'),
  height: z.int().nullable().describe('Height in pixels; null if the image has no intrinsic size.'),
  licenceNote: z.string().describe('Permitted uses of the image.'),
  sizeBytes: z.int().describe('Size of the decoded content in bytes.'),
  contentBase64: z.base64().describe('Base64-encoded content.'),
}

export const licenceNote =
  "Drawn by this service and free to display with the data under the Data Licence. It is not the firm's trade mark; names may be trade marks of their owners."

/** Builds the asset fields for an SVG, given its size in pixels. */
export function svgContent(svg: string, width: number, height: number) {
  const bytes = Buffer.from(svg)
  return { contentType: 'image/svg+xml', width, height, licenceNote, sizeBytes: bytes.length, contentBase64: bytes.toString('base64') }
}
