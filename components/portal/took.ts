import { number } from './amounts.ts'

/** A duration: `4 ms`, `1.3 s`; a dash when there is none. */
export function took(ms: number | null): string {
  if (ms === null) return '–'
  if (ms < 1) return '<1 ms'
  return ms < 1_000 ? `${number(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}
