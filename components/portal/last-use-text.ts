import { ago } from '#components/data/dates.ts'

export type LastUse = { readonly usedAt: Date | null; readonly usedFrom: string | null }

/** `Used 4 minutes ago from 203.0.113.7.` */
export function lastUseText({ usedAt, usedFrom }: LastUse, now: Date): string {
  if (usedAt === null) return 'Never used.'
  return `Used ${ago(usedAt, now)}${usedFrom === null ? '' : ` from ${usedFrom}`}.`
}
