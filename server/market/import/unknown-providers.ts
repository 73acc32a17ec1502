import { suggestion } from '../../contract/nearest.ts'
import type { FaultList } from './feed-error.ts'

/** Says which lines name a provider that the dataset does not have, with the nearest one that it has. */
export function refuseProviders(faults: FaultList, unknown: readonly { readonly line: number; readonly slug: string }[], slugs: readonly string[]): void {
  const hints = new Map<string, string>()
  for (const { line, slug } of unknown) {
    const hint = hints.get(slug) ?? suggestion(slug, slugs)
    hints.set(slug, hint)
    faults.add(line, 'providerSlug', `names no provider of the dataset: "${slug}".${hint} Import providers first.`)
  }
}
