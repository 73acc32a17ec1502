import Negotiator from 'negotiator'
import { type ListFormat, listFormats } from '#server/api/contract/list-formats.ts'
import type { CallHeaders, PipelineEndpoint } from './call.ts'

const formats: readonly ListFormat[] = Object.values(listFormats)
const contentTypes = formats.map(({ contentType }) => contentType)

/** Cheap test for the media types that change the format. Wildcards do not, so that callers who name no other format get JSON. */
const named = /text\/csv|application\/x-ndjson/i

/** Maximum length of `Accept`. Browsers send about 150 characters; parsing several thousand would hold up other calls. */
const longestAccept = 1_000

/** Removes the charset from media types: responses are in UTF-8 in any case. */
const withoutCharset = (accept: string): string => accept.replace(/;\s*charset=[^,;]*/gi, '')

/** Formats of files, the default first. */
const fileFormats: readonly ListFormat[] = [listFormats.ndjson, listFormats.csv]

/** Returns the format of a file that the caller prefers: NDJSON, unless `Accept` prefers CSV. */
function getFileFormat(accept: string): ListFormat {
  const [best] = new Negotiator({ headers: { accept: withoutCharset(accept) } }).mediaTypes(fileFormats.map(({ contentType }) => contentType))
  return fileFormats.find(({ contentType }) => contentType === best) ?? listFormats.ndjson
}

/** Returns the format that the caller prefers: JSON, unless the endpoint is a list and `Accept` names another format. Files have their own formats. */
export function getFormat({ kind }: Pick<PipelineEndpoint, 'kind'>, { accept }: CallHeaders): ListFormat {
  const isRead = typeof accept === 'string' && accept.length <= longestAccept
  if (kind === 'file') return getFileFormat(isRead ? accept : '*/*')
  if (!isRead || !named.test(accept) || (kind !== 'list' && kind !== 'whole')) return listFormats.json
  const [best] = new Negotiator({ headers: { accept: withoutCharset(accept) } }).mediaTypes(contentTypes)
  return formats.find(({ contentType }) => contentType === best) ?? listFormats.json
}

/** Returns a key that also identifies the format. Keys of JSON have no suffix, so that ETags and Idempotency-Keys from earlier releases stay valid. */
export const keyInFormat = (key: string, format: ListFormat): string => (format === listFormats.json ? key : `${key} format ${format.no}`)
