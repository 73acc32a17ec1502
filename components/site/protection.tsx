import type { ReactNode } from 'react'
import { Facts } from './details.tsx'
import { formatPounds } from './formats.ts'

export type ProtectionData = {
  readonly scheme: string
  readonly limit: string | null
  readonly sharedWith: readonly { readonly name: string; readonly slug: string | null }[]
}

/** `A`, `A and B`, `A, B and C`, each linked to its page where it has one. */
function Brands({ brands }: { brands: ProtectionData['sharedWith'] }) {
  return brands.map(({ name, slug }, index) => {
    const between = index === 0 ? '' : index === brands.length - 1 ? ' and ' : ', '
    return (
      <span key={name}>
        {between}
        {slug === null ? (
          name
        ) : (
          <a className="prose-link" href={`/providers/${slug}`}>
            {name}
          </a>
        )}
      </span>
    )
  })
}

type Props = { provider: string; protection: ProtectionData; isFictional: boolean; own?: ReactNode }

/** Deposit protection, and the brands that share its limit. `own` is the product's own statement. */
export function Protection({ provider, protection: { scheme, limit, sharedWith }, isFictional, own }: Props) {
  return (
    <div className="max-w-[68ch] space-y-3 text-pretty">
      {own === undefined ? null : <p>{own}</p>}
      <Facts
        facts={[
          ['Scheme', scheme],
          ['Limit per person', limit === null ? 'None, or set by the partner bank' : formatPounds(limit)],
        ]}
      />
      {sharedWith.length === 0 ? (
        <p className="text-ink-2">No other listed brand shares the licence of {provider}.</p>
      ) : (
        <p>
          <strong className="font-semibold">Shared limit:</strong> {provider} shares a licence with <Brands brands={sharedWith} />. Deposits with any of them{' '}
          {isFictional ? 'would count' : 'count'} towards the same {limit === null ? 'limit' : formatPounds(limit)}.
        </p>
      )}
    </div>
  )
}
