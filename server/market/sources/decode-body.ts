import { type Fetchable, SourceError } from './source.ts'
import { isZip, unzipFirst } from './unzip.ts'

const webPage = /^\s*(?:<!--[\s\S]{0,500}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b/i

const pageAdvice =
  'Open the address in a browser: the file may have moved (give the new address in MARKET_SOURCES as name=https://…), or the site turns programs away for now.'

/** Publishers answer with a page of their site, status 200, when something is wrong; read as data it would be nonsense or nothing. */
function refuseMarkup(text: string, format: Fetchable['format'], contentType: string): void {
  const isMarkup = format === 'xml' ? webPage.test(text) : text.trimStart().startsWith('<')
  if (!isMarkup) return
  const kind = webPage.test(text) || contentType.includes('html') ? 'a web page' : 'markup'
  throw new SourceError(`The address answered with ${kind} instead of ${format.toUpperCase()}.`, pageAdvice)
}

/** The text of an answer: unpacked when it is a zip archive, UTF-8, without a byte order mark. */
export function decodeBody(
  bytes: Buffer,
  { format, contentType, maximumBytes }: { format: Fetchable['format']; contentType: string; maximumBytes: number },
): string {
  const content = isZip(bytes) ? unzipFirst(bytes, maximumBytes) : bytes
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch (cause) {
    throw new SourceError('The answer is not text in UTF-8.', undefined, { cause })
  }
  if (text.trim() === '') throw new SourceError('The answer is empty.', 'The publisher may be in the middle of an update; the next fetch tries again.')
  refuseMarkup(text, format, contentType)
  return text
}
