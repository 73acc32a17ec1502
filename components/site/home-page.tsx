import type { ReactNode } from 'react'
import { StatementHead } from '#components/data/data-table.tsx'
import { JsonBlock } from '#components/data/json-block.tsx'
import { CodeFigure } from '#components/docs/code.tsx'
import { KeySlots } from '#components/docs/key-slots.tsx'
import { Button } from '#components/ui/button.tsx'
import { Path } from '#components/ui/phrase.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { type AccountType, accountTypes, accountTypeValues } from '#server/api/contract/account-types.ts'

export type Entry = { readonly what: string; readonly answer: string; readonly credits: number; readonly balance: number }

/** Formats an amount with its sign: `+20`, `−5` with a true minus sign, or `0`. */
function signed(credits: number): string {
  if (credits === 0) return '0'
  return credits > 0 ? `+${credits}` : `−${Math.abs(credits)}`
}

const number = 'py-2.5 pl-3 text-right align-top font-mono text-table'

function Line({ entry }: { entry: Entry }) {
  const isCall = /^[A-Z]+ \//.test(entry.what)
  return (
    <tr className="border-b border-line">
      <th scope="row" className="py-2.5 text-left align-top font-normal">
        {isCall ? <Path text={entry.what} /> : entry.what}
        <span className="block text-note text-ink-2">{entry.answer}</span>
      </th>
      <td className={number}>{signed(entry.credits)}</td>
      <td className={number}>{entry.balance}</td>
    </tr>
  )
}

/** Statement with a running balance: one line per call. */
export function StatementPreview({ title, entries }: { title: string; entries: readonly Entry[] }) {
  return (
    <table className="w-full border-t border-line-strong">
      <caption className="pb-3 text-left text-h2 font-semibold text-balance">{title}</caption>
      <StatementHead what="Call" />
      <tbody>
        {entries.map((entry) => (
          <Line key={entry.what} entry={entry} />
        ))}
      </tbody>
      <tfoot>
        <tr className="border-t-3 border-double border-line-strong font-semibold">
          <th scope="row" colSpan={2} className="py-2.5 text-left">
            Closing balance
          </th>
          <td className={number}>{entries.at(-1)?.balance ?? 0}</td>
        </tr>
      </tfoot>
    </table>
  )
}

type SampleCallProps = { origin: string; type: AccountType; target: string; cost: string; body: unknown; children: ReactNode }

/** Sample call that works without an account, with its response; `children` are shown below the call. A GET form, so it works without JavaScript. */
export function SampleCall({ origin, type, target, cost, body, children }: SampleCallProps) {
  const curl = `curl "${origin}/v1${target}" \\\n  -H "Authorization: Bearer $SVC_API_KEY"`
  return (
    <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[5fr_6fr] lg:grid-rows-[auto_1fr]">
      <div className="min-w-0">
        <form action="/#answer" className="mb-4 flex flex-wrap items-end gap-3">
          <label className="grow">
            <span className="mb-1 block font-medium">Account type</span>
            <select name="type" defaultValue={type} className="h-11 w-full rounded-control border border-line-strong bg-surface px-2 text-[1rem] sm:text-body">
              {accountTypeValues.map((value) => (
                <option key={value} value={value}>
                  {accountTypes[value].label}
                </option>
              ))}
            </select>
          </label>
          <Button kind="primary" type="submit">
            Run call
          </Button>
        </form>
        <CodeFigure label="curl" language="sh" code={curl} />
        <KeySlots />
        <p className="mt-3 text-note text-ink-2">Free with a test key. With a live key: {cost}.</p>
      </div>
      <div id="answer" className="min-w-0 self-start rounded-panel border border-dashed border-test bg-surface lg:row-span-2">
        <p className="flex flex-wrap items-center gap-2 border-b border-dashed border-test px-3 py-2.5 text-note">
          <Tag tone="test">Test</Tag> Sample data with fictional banks. Free.
        </p>
        <div className="p-3">
          <JsonBlock value={body} />
        </div>
      </div>
      <div className="mt-6 min-w-0">{children}</div>
    </div>
  )
}

type CoverageProps = { products: number; providers: number; isFictional: boolean; licence: string; attribution: string }

const grouped = new Intl.NumberFormat('en-GB')

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="border-b border-line py-3 sm:grid sm:grid-cols-[12rem_1fr] sm:gap-4">
      <dt className="font-medium">{name}</dt>
      <dd className="mt-0.5 max-w-[68ch] text-pretty text-ink-2 sm:mt-0">{children}</dd>
    </div>
  )
}

/** Data available to live and test keys, how to get a key, and the required attribution. */
export function Coverage({ products, providers, isFictional, licence, attribution }: CoverageProps) {
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

/** Headline and price. */
export function Hero({ creditPence, starterCredits }: { creditPence: number; starterCredits: number }) {
  return (
    <div>
      <h1 className="text-hero font-semibold tracking-tight text-balance">UK savings rates as an API.</h1>
      <p className="mt-4 max-w-[44rem] text-prose text-ink-2 text-pretty">
        <strong className="font-semibold text-ink">Pay for what you read.</strong> 1 credit = {creditPence}p. {starterCredits} free to start. Credits never
        expire. Errors, 304s and test calls are free.
      </p>
    </div>
  )
}
