import type { ReactNode } from 'react'
import { Facts } from './facts.tsx'
import { poundWords } from './page-words.ts'

export type ProtectionFacts = {
  readonly scheme: string
  readonly limit: string | null
  readonly sharedWith: readonly { readonly name: string; readonly slug: string | null }[]
}

/** `A`, `A and B`, `A, B and C`, each linked to its page where it has one. */
function Brands({ brands }: { brands: ProtectionFacts['sharedWith'] }) {
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

type Props = { provider: string; protection: ProtectionFacts; isFictional: boolean; own?: ReactNode }

/** What of the money is protected, and with which brands the limit is shared. `own` is what the product says itself. */
export function Protection({ provider, protection: { scheme, limit, sharedWith }, isFictional, own }: Props) {
  return (
    <div className="max-w-[68ch] space-y-3 text-pretty">
      {own === undefined ? null : <p>{own}</p>}
      <Facts
        facts={[
          ['Scheme', scheme],
          ['Limit for each person', limit === null ? 'Depends on the partner bank, or there is none' : poundWords(limit)],
        ]}
      />
      {sharedWith.length === 0 ? (
        <p className="text-ink-2">No other brand here is on the licence of {provider}.</p>
      ) : (
        <p>
          <strong className="font-semibold">One limit for all of them:</strong> {provider} is on the same licence as <Brands brands={sharedWith} />. Money with
          any of them {isFictional ? 'would count' : 'counts'} towards the same {limit === null ? 'limit' : poundWords(limit)}.
        </p>
      )}
    </div>
  )
}
