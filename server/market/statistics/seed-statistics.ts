import { createHash } from 'node:crypto'
import type { Database } from '#server/db/prisma.ts'
import bankRate from '../data/bank-rate.json' with { type: 'json' }
import cpi from '../data/cpi.json' with { type: 'json' }
import cpih from '../data/cpih.json' with { type: 'json' }
import ecbRates from '../data/ecb-rates.json' with { type: 'json' }
import effectiveRates from '../data/effective-rates.json' with { type: 'json' }
import fxHistory from '../data/fx-history.json' with { type: 'json' }
import quotedRates from '../data/quoted-rates.json' with { type: 'json' }
import rpi from '../data/rpi.json' with { type: 'json' }
import { officialRates, sourceNamed } from '../sources/sources.ts'
import { bundledHashes, type Delivery, storeFetches } from './fetches.ts'

/** Real history shipped with a release, for installations without internet access: values by series and day, as exact decimal text. */
type BundledFile = {
  readonly source: string
  readonly collectedAt: string
  readonly releasedOn: string | null
  readonly series: Readonly<Record<string, Readonly<Record<string, string | null>>>>
}

const bundledFiles: Readonly<Record<string, BundledFile>> = {
  'bank-rate.json': bankRate,
  'ecb-rates.json': ecbRates,
  'cpi.json': cpi,
  'cpih.json': cpih,
  'rpi.json': rpi,
  'quoted-rates.json': quotedRates,
  'effective-rates.json': effectiveRates,
  'fx-history.json': fxHistory,
}

function toDelivery(fileName: string, file: BundledFile, sha256: string): Delivery {
  const source = sourceNamed(file.source)
  if (!source) throw new Error(`${fileName} names an unknown source: ${file.source}.`)
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
 * Imports the bundled history. Each file is imported once; later calls only run one short query. Never overwrites values that were fetched after the file was
 * compiled.
 * @returns the names of the imported files.
 */
export async function seedStatistics(pool: Database): Promise<string[]> {
  const known = await bundledHashes(pool)
  const missing = Object.entries(bundledFiles).flatMap(([fileName, file]) => {
    const sha256 = createHash('sha256').update(JSON.stringify(file)).digest('hex')
    return known.has(sha256) ? [] : [toDelivery(fileName, file, sha256)]
  })
  if (missing.length > 0) await storeFetches(pool, missing, officialRates)
  return missing.map(({ url }) => url.replace('bundle:', ''))
}
