import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import { officialRates, sourceNamed } from '../sources/sources.ts'
import { type BundledFile, bundledFiles } from './bundle.ts'
import { bundledHashes, type Delivery, storeFetches } from './fetches.store.ts'

function toDelivery(fileName: string, file: BundledFile, sha256: string): Delivery {
  const source = sourceNamed(file.source)
  if (!source) throw new Error(`${fileName} has the unknown source ${file.source}.`)
  const observations = Object.entries(file.series).flatMap(([series, values]) => Object.entries(values).map(([date, value]) => ({ series, date, value })))
  return {
    outcome: 'read',
    source: source.name,
    url: `bundle:${fileName}`,
    licence: source.licence,
    fetchedAt: file.collectedAt,
    kind: source.kind,
    observations,
    sha256,
    status: null,
    validators: { etag: null, lastModified: null },
    releasedOn: file.releasedOn,
    nextReleaseOn: null,
  }
}

/**
 * Imports the bundled history. Each file is imported once; afterwards this is one short query. Values fetched after a file was collected are
 * kept.
 * @returns the names of the imported files.
 */
export async function seedStatistics(pool: Pool): Promise<string[]> {
  const known = await bundledHashes(pool)
  const missing = Object.entries(bundledFiles).flatMap(([fileName, file]) => {
    const sha256 = createHash('sha256').update(JSON.stringify(file)).digest('hex')
    return known.has(sha256) ? [] : [{ fileName, delivery: toDelivery(fileName, file, sha256) }]
  })
  if (missing.length > 0) {
    await storeFetches(
      pool,
      missing.map(({ delivery }) => delivery),
      officialRates,
    )
  }
  return missing.map(({ fileName }) => fileName)
}
