import { twoDecimals } from '#server/api/contract/formats.ts'
import type { Context } from '#server/api/endpoints/define.ts'
import { listReferenceFscs } from '#server/api/endpoints/reference/list-reference-fscs.endpoint.ts'

/** Deposit protection of a provider. */
export type Protection = {
  readonly scheme: string
  /** Limit per person across all brands of the licence, in pounds with two decimals; null if there is none. */
  readonly limit: string | null
  /** Other brands of the licence, with a slug if they have a page. */
  readonly sharedWith: readonly { readonly name: string; readonly slug: string | null }[]
}

type Brand = { readonly brand: string; readonly providerSlug: string | null; readonly sharesLicenceWith: readonly string[] }

/** Returns the brands of the licence from the FSCS reference list, with the slug of the matching provider if there is one. */
async function listedBrands(context: Context, slug: string): Promise<Map<string, string | null>> {
  const { rows } = (await listReferenceFscs.read({}, { limit: 0, after: null }, context)) as { rows: readonly Brand[] }
  const slugs = new Map(rows.map(({ brand, providerSlug }) => [brand, providerSlug]))
  const own = rows.find((row) => row.providerSlug === slug)
  return new Map(own?.sharesLicenceWith.map((name) => [name, slugs.get(name) ?? null]))
}

/** Returns the protection of a provider, including brands that are only in the reference list. Null if it is not listed. */
export async function getProtection(context: Context, slug: string): Promise<Protection | null> {
  const provider = context.market.provider(slug)
  if (!provider) return null
  const brands = await listedBrands(context, slug)
  for (const other of provider.sharesLicenceWith) brands.set(context.market.provider(other)?.name ?? other, other)
  return {
    scheme: provider.protectionScheme,
    limit: provider.protectionLimitPence === null ? null : twoDecimals(provider.protectionLimitPence),
    sharedWith: [...brands].map(([name, at]) => ({ name, slug: at })),
  }
}
