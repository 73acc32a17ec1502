import bankRate from '../data/bank-rate.json' with { type: 'json' }
import cpi from '../data/cpi.json' with { type: 'json' }
import cpih from '../data/cpih.json' with { type: 'json' }
import ecbRates from '../data/ecb-rates.json' with { type: 'json' }
import effectiveRates from '../data/effective-rates.json' with { type: 'json' }
import fxHistory from '../data/fx-history.json' with { type: 'json' }
import quotedRates from '../data/quoted-rates.json' with { type: 'json' }
import rpi from '../data/rpi.json' with { type: 'json' }

/** Real history shipped with a release, for installations without internet access: values by series and day, as exact decimal text. */
export type BundledFile = {
  readonly source: string
  readonly collectedAt: string
  readonly releasedOn: string | null
  readonly series: Readonly<Record<string, Readonly<Record<string, string | null>>>>
}

export const bundledFiles: Readonly<Record<string, BundledFile>> = {
  'bank-rate.json': bankRate,
  'ecb-rates.json': ecbRates,
  'cpi.json': cpi,
  'cpih.json': cpih,
  'rpi.json': rpi,
  'quoted-rates.json': quotedRates,
  'effective-rates.json': effectiveRates,
  'fx-history.json': fxHistory,
}
