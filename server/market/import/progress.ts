/** What an import is at: it reads the feed, compares it with what stands, and writes what is different. */
export type ImportPhase = 'reading' | 'comparing' | 'writing'

/** Told what an import is at and how many records have been read so far: now and then while it reads, and once at each later phase. */
export type OnProgress = (phase: ImportPhase, records: number) => void
