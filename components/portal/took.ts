import { number } from './amounts.ts'

/** Formats a duration: `4 ms`, `1.3 s`; a dash if unknown. */
export function took(ms: number | null): string {
  if (ms === null) return '–'
  if (ms < 1) return '<1 ms'
  return ms < 1_000 ? `${number(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}
