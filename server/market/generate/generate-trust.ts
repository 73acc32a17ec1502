import type { GeneratedProvider } from './generate-providers.ts'
import type { Random } from './random.ts'

/** Customer reviews as a provider feed gives them; all of them null for a provider that nobody reviewed. */
export type GeneratedTrust = {
  readonly trustScore: string | null
  readonly trustReviewCount: number | null
  readonly trustSource: string | null
  readonly trustAsOf: string | null
}

const none: GeneratedTrust = { trustScore: null, trustReviewCount: null, trustSource: null, trustAsOf: null }

/** Gives most providers invented reviews. Their source says so, because no one ever reviewed an invented firm. */
export function withTrust(providers: readonly GeneratedProvider[], word: string, random: Random): (GeneratedProvider & GeneratedTrust)[] {
  return providers.map((provider) => {
    const tenths = random.around(38, 11)
    const reviews = random.pick([1, 1, 4, 10, 40]) * random.between(60, 990)
    if (!random.chance(80)) return { ...provider, ...none }
    const trustScore = `${Math.floor(tenths / 10)}.${tenths % 10}`
    return { ...provider, trustScore, trustReviewCount: reviews, trustSource: `Invented for the ${word} market`, trustAsOf: '2026-11-01' }
  })
}
