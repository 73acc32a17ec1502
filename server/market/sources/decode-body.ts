import { type Fetchable, SourceError } from './source.ts'
import { isZip, unzipFirst } from './unzip.ts'

const webPage = /^\s*(?:<!--[\s\S]{0,500}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b/i

const pageAdvice =
  'Open the URL in a browser: the file may have moved (set the new URL in MARKET_SOURCES as name=https://…), or the site may be blocking automated requests.'

/** Rejects HTML: publishers return error pages with status 200. */
function refuseMarkup(text: string, format: Fetchable['format'], contentType: string): void {
  const isMarkup = format === 'xml' ? webPage.test(text) : text.trimStart().startsWith('<')
  if (!isMarkup) return
  const kind = webPage.test(text) || contentType.includes('html') ? 'a web page' : 'markup'
  throw new SourceError(`The URL returned ${kind} instead of ${format.toUpperCase()}.`, pageAdvice)
}

/** Decodes a response body: unzips it if necessary, requires UTF-8, removes the byte order mark. */
export async function decodeBody(
  bytes: Buffer,
  { format, contentType, maximumBytes }: { format: Fetchable['format']; contentType: string; maximumBytes: number },
): Promise<string> {
  const content = isZip(bytes) ? await unzipFirst(bytes, maximumBytes) : bytes
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch (cause) {
    throw new SourceError('The response is not UTF-8 text.', undefined, { cause })
  }
  if (text.trim() === '') throw new SourceError('The response is empty.', 'The publisher may be updating the file; the next fetch will retry.')
  refuseMarkup(text, format, contentType)
  return text
}
