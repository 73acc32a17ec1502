import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Dataset } from '#server/market/dataset.ts'
import { feedOrder } from '#server/market/import/feed-kind.ts'
import type { Feed } from '#server/market/import/import-feed.ts'
import type { ImportPhase } from '#server/market/import/progress.ts'
import type { Progress } from './progress.ts'

export type ImportOptions = { dataset: Dataset; dryRun?: true; partial?: true; confirm?: true; quiet?: true; expect?: number; requireCount?: true }

/** Checks the files before anything is imported. @throws if one is missing or is a folder. */
export function checkFiles(files: readonly string[]): void {
  for (const file of files) {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) throw new Error(`File not found: ${file}. Paths are relative to ${process.cwd()}. Nothing was imported.`)
    if (found.isDirectory()) throw new Error(`${file} is a folder. Pass the files in it. Nothing was imported.`)
  }
}

/** Returns the size of a file in bytes; null if it is unknown before reading, such as for a pipe. */
function getSize(file: string): number | null {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.isFile() ? found.size : null
}

/** Converts files to feeds that report progress, ordered by dependency. */
export function getFeeds(files: readonly string[], options: ImportOptions, say: Progress['say']): Feed[] {
  const sorted = files.toSorted((a, b) => feedOrder(basename(a)) - feedOrder(basename(b)))
  return sorted.map((file) => {
    const fileName = basename(file)
    const bytes = getSize(file)
    let bytesRead = 0
    const getShare = (phase: ImportPhase) => (phase === 'reading' && bytes !== null && bytes > 0 ? bytesRead / bytes : null)
    const onProgress = (phase: ImportPhase, records: number) => say({ name: fileName, phase, share: getShare(phase), records })
    // Files are opened one at a time.
    async function* source() {
      const stream = createReadStream(file, 'utf8')
      for await (const piece of stream as AsyncIterable<string>) {
        bytesRead = stream.bytesRead
        yield piece
      }
    }
    const { expect: expectedRows, requireCount: requiresCount, ...rest } = options
    return { source: source(), fileName, onProgress, expectedRows, requiresCount, ...rest }
  })
}
