import { twoDecimals } from '#server/api/contract/formats.ts'
import type { Context } from '#server/api/endpoints/define.ts'
import { listReferenceFscs } from '#server/api/endpoints/reference/list-reference-fscs.endpoint.ts'

/** Who protects deposits with a provider, up to what, and with whom it shares that limit. */
export type Protection = {
  readonly scheme: string
  /** For each person over all brands of the licence, as two-decimal pounds; null without a limit of its own. */
  readonly limit: string | null
  /** The other brands of the licence; with the slug of those that have a page. */
  readonly sharedWith: readonly { readonly name: string; readonly slug: string | null }[]
}

type Brand = { readonly brand: string; readonly providerSlug: string | null; readonly sharesLicenceWith: readonly string[] }

/** Brands of the licence as the reference list of real brands has them, by slug where they have a provider here. */
async function listedBrands(context: Context, slug: string): Promise<Map<string, string | null>> {
  const { rows } = (await listReferenceFscs.read({}, { limit: 0, after: null }, context)) as { rows: readonly Brand[] }
  const slugs = new Map(rows.map(({ brand, providerSlug }) => [brand, providerSlug]))
  const own = rows.find((row) => row.providerSlug === slug)
  return new Map(own?.sharesLicenceWith.map((name) => [name, slugs.get(name) ?? null]))
}

/** The protection of a listed provider: its own record, with brands of its licence that only the reference list knows. Null when it is not listed. */
export async function protectionOf(context: Context, slug: string): Promise<Protection | null> {
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
