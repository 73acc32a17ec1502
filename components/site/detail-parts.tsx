import type { ReactNode } from 'react'
import { formatLondonDay, formatPounds } from './formats.tsx'

export type Fact = readonly [name: string, text: ReactNode]

/** Description list. Entries without text are omitted. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="border-t border-line-strong">
      {facts
        .filter(([, text]) => text !== null)
        .map(([name, text]) => (
          <div key={name} className="border-b border-line py-2.5 sm:grid sm:grid-cols-[11rem_1fr] sm:gap-4">
            <dt className="text-ink-2">{name}</dt>
            <dd className="max-w-[68ch] text-pretty wrap-anywhere">{text}</dd>
          </div>
        ))}
    </dl>
  )
}

export type ProtectionData = {
  readonly scheme: string
  readonly limit: string | null
  readonly sharedWith: readonly { readonly name: string; readonly slug: string | null }[]
}

/** Brands as `A`, `A and B` or `A, B and C`, each linked to its page if it has one. */
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

/** Deposit protection, and the brands that share its limit. `own` is a sentence about the product itself, shown first. */
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

/** Link to a provider's website. The address of a fictional provider is marked, because no such site exists. */
export function OutsideLink({ url, isFictional }: { url: string; isFictional: boolean }) {
  const { hostname, pathname } = new URL(url)
  return (
    <>
      <a className="prose-link wrap-anywhere" href={url} rel="noopener noreferrer nofollow">
        {hostname}
        {pathname === '/' ? '' : pathname}
      </a>
      {isFictional ? <span className="text-ink-2"> (fictional address)</span> : null}
    </>
  )
}

const tones = {
  /** For fictional data. */
  fiction: 'border-dashed border-test bg-test-wash text-test',
  /** Tone for data that is no longer current. */
  past: 'border-transparent bg-caution-wash text-caution',
} as const

/** Notice at the top of a page. */
export function PageNotice({ tone, children }: { tone: keyof typeof tones; children: ReactNode }) {
  return <p className={`mb-4 rounded-panel border px-4 py-3 font-medium text-pretty ${tones[tone]}`}>{children}</p>
}

/** Age of the data on the page, and the required attribution. */
export function SourceLine({ asOf, attribution }: { asOf: string | null; attribution: string }) {
  return (
    <p className="mt-12 border-t border-line pt-4 text-note text-ink-2 text-pretty">
      {asOf === null ? null : `Market data as of ${formatLondonDay(asOf)}. `}
      {attribution}.
    </p>
  )
}
