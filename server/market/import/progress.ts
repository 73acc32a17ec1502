/** Phase of an import: reading the feed, comparing it with the market, writing the changes. */
export type ImportPhase = 'reading' | 'comparing' | 'writing'

/** Reports the phase and the number of records read: periodically while reading, and once at each later phase. */
export type OnProgress = (phase: ImportPhase, records: number) => void
