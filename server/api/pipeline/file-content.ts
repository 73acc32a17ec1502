import Negotiator from 'negotiator'
import type { ApiFile, FileCoding } from '#server/api/contract/api-file.ts'
import type { AnswerFile, BuiltPage, CallHeaders } from './call.ts'
import { withinDeadline } from './deadline.ts'

/** Maximum time to read or compress a large file, in milliseconds. */
const readTimeoutMs = 10_000

/** Maximum length of `Accept-Encoding`. Clients send about 30 characters; parsing several thousand would hold up other calls. */
const longestAccept = 200

/** Returns the first coding of a file that the caller accepts; null if it accepts none. */
function getCoding({ codings }: ApiFile, { 'accept-encoding': accepted }: CallHeaders): FileCoding | null {
  if (typeof accepted !== 'string' || accepted.length > longestAccept) return null
  const acceptable = new Negotiator({ headers: { 'accept-encoding': accepted } }).encodings([...codings])
  return codings.find((coding) => acceptable.includes(coding)) ?? null
}

async function readFile(file: ApiFile, headers: CallHeaders): Promise<AnswerFile> {
  const coding = getCoding(file, headers)
  return { coding, compressed: await withinDeadline(file.read(coding ?? 'gzip'), readTimeoutMs) }
}

/** Content of the files of a decision; null for pages that aren't files. */
export type FileContents = { readonly page: AnswerFile | null; readonly kept: AnswerFile | null }

export const noFiles: FileContents = { page: null, kept: null }

/** Reads the files that may be sent. Called before admission, so that a file that can't be read isn't charged. */
export async function readContents(page: BuiltPage, kept: BuiltPage | null, headers: CallHeaders): Promise<FileContents> {
  if (page.file === undefined) return noFiles
  return { page: await readFile(page.file, headers), kept: kept?.file ? await readFile(kept.file, headers) : null }
}
