import type { GeneratedProvider } from './generate-providers.ts'
import type { Random } from './random.ts'

/** Customer reviews as in a provider feed; all null for a provider without reviews. */
export type GeneratedTrust = {
  readonly trustScore: string | null
  readonly trustReviewCount: number | null
  readonly trustSource: string | null
  readonly trustAsOf: string | null
}

const none: GeneratedTrust = { trustScore: null, trustReviewCount: null, trustSource: null, trustAsOf: null }

/** Gives most providers fictional reviews, labelled as such in their source. */
export function withTrust(providers: readonly GeneratedProvider[], word: string, random: Random): (GeneratedProvider & GeneratedTrust)[] {
  return providers.map((provider) => {
    const tenths = random.around(38, 11)
    const reviews = random.pick([1, 1, 4, 10, 40]) * random.between(60, 990)
    if (!random.chance(80)) return { ...provider, ...none }
    const trustScore = `${Math.floor(tenths / 10)}.${tenths % 10}`
    return { ...provider, trustScore, trustReviewCount: reviews, trustSource: `Invented for the ${word} market`, trustAsOf: '2026-11-01' }
  })
}
