import type { ReactNode } from 'react'

type Props = { products: number; providers: number; isFictional: boolean; licence: string; attribution: string }

const grouped = new Intl.NumberFormat('en-GB')

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="border-b border-line py-3 sm:grid sm:grid-cols-[12rem_1fr] sm:gap-4">
      <dt className="font-medium">{name}</dt>
      <dd className="mt-0.5 max-w-[68ch] text-pretty text-ink-2 sm:mt-0">{children}</dd>
    </div>
  )
}

/** What a live key reads here, and on what terms. */
export function Coverage({ products, providers, isFictional, licence, attribution }: Props) {
  const held = `${grouped.format(products)} products of ${grouped.format(providers)} providers`
  return (
    <dl className="border-t border-line-strong">
      <Fact name="Live keys">
        {isFictional ? `${held}. This is a demonstration market: the providers are fictional and no rate here is a real bank’s.` : `${held}.`}
      </Fact>
      <Fact name="Test keys">A sample of the same shape from fictional providers. Never charged.</Fact>
      <Fact name="True for both">Account types, currencies, and which UK brands share one FSCS limit.</Fact>
      <Fact name="Getting a key">
        <a className="prose-link" href="/sign-up">
          Create an account
        </a>{' '}
        and confirm your email: a test key is there at once. Live keys work once we approve the account.
      </Fact>
      <Fact name={`Data Licence ${licence}`}>
        Show this line wherever you show the data: <span className="text-ink">“{attribution}”</span>{' '}
        <a className="prose-link" href={`/licence/${licence}`}>
          Read the licence
        </a>
      </Fact>
    </dl>
  )
}
