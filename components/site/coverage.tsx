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

/** Data available to live and test keys, and its terms. */
export function Coverage({ products, providers, isFictional, licence, attribution }: Props) {
  const market = `${grouped.format(products)} products from ${grouped.format(providers)} providers`
  return (
    <dl className="border-t border-line-strong">
      <Fact name="Live keys">
        {isFictional ? `${market}. This is a demonstration market: the providers are fictional, and so are the rates.` : `${market}.`}
      </Fact>
      <Fact name="Test keys">Sample data in the same format, from fictional providers. Never charged.</Fact>
      <Fact name="Both">Account types, currencies and shared FSCS limits of UK brands are always real.</Fact>
      <Fact name="Getting a key">
        <a className="prose-link" href="/sign-up">
          Create an account
        </a>{' '}
        and confirm your email. You get a test key immediately. Live keys work once we approve your account.
      </Fact>
      <Fact name={`Data Licence ${licence}`}>
        Show this attribution wherever you show the data: <span className="text-ink">“{attribution}”</span>{' '}
        <a className="prose-link" href={`/licence/${licence}`}>
          Read the licence
        </a>
      </Fact>
    </dl>
  )
}
