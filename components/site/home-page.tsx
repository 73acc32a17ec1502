import type { ReactNode } from 'react'
import { StatementHead } from '#components/data/data-table.tsx'
import { CodeFigure, type CodeSample } from '#components/docs/code.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { Path } from '#components/ui/phrase.tsx'
import { approvalNote, shortApprovalNote, testKeyNote } from '#server/api/contract/access.ts'
import { Figure } from './figure.tsx'
import { Day } from './formats.tsx'

const grouped = new Intl.NumberFormat('en-GB')

function Actions() {
  return (
    <p className="mt-6 flex flex-wrap gap-3">
      <ButtonLink kind="primary" href="/sign-up">
        Create account
      </ButtonLink>
      <ButtonLink kind="second" href="/docs">
        Read the docs
      </ButtonLink>
    </p>
  )
}

type CoverageProps = {
  products: number
  providers: number
  isFictional: boolean
  history: { readonly since: string; readonly changes: number } | null
  /** Number of endpoints open to test keys, and the number of those that are also open to live keys. */
  endpoints: { readonly all: number; readonly live: number }
}

/** Headline, audience and calls to action, next to an example. */
export function Hero({ starterCredits, children }: { starterCredits: number; children: ReactNode }) {
  return (
    <div className="grid items-start gap-x-12 gap-y-10 lg:grid-cols-[5fr_6fr]">
      <div className="lg:pt-6">
        <h1 className="text-hero font-semibold tracking-tight text-balance">UK savings rates as an API.</h1>
        <p className="mt-4 max-w-[34rem] text-prose text-ink-2 text-pretty">
          Every rate, its terms, its deposit protection and its history, in one format. For comparison sites, savings apps, advisers and AI assistants.
        </p>
        <Actions />
        <p className="mt-4 text-note text-ink-2">
          {starterCredits} credits free. <span className="whitespace-nowrap">No card needed.</span> Test calls are always free. {approvalNote}
        </p>
      </div>
      {children}
    </div>
  )
}

/** Size of the live data and of the API. */
export function Coverage({ products, providers, isFictional, history, endpoints }: CoverageProps) {
  return (
    <section aria-labelledby="coverage" className="mt-12 sm:mt-16">
      <h2 id="coverage" className="sr-only">
        Coverage
      </h2>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-6 lg:grid-cols-4">
        <Figure value={grouped.format(products)} name="products">
          Easy access, notice, fixed rate, ISAs and more
        </Figure>
        <Figure value={grouped.format(providers)} name="providers">
          With FSCS licence groups and shared limits
        </Figure>
        <Figure value={grouped.format(history?.changes ?? 0)} name="rate changes">
          {history === null ? (
            'Recorded from the first import'
          ) : (
            <>
              Since <Day on={history.since} />
            </>
          )}
        </Figure>
        <Figure value={grouped.format(endpoints.all)} name="endpoints">
          {endpoints.live === endpoints.all
            ? 'All open to live keys'
            : `${grouped.format(endpoints.live)} live, all ${grouped.format(endpoints.all)} with test data`}
        </Figure>
      </dl>
      {isFictional ? <p className="mt-4 text-note text-ink-2">Demonstration market: fictional providers and rates.</p> : null}
    </section>
  )
}

function Part({ id, title, lead, children }: { id: string; title: string; lead: ReactNode; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-8 sm:mt-14">
      <h2 id={id} className="text-h1 font-semibold tracking-tight text-balance">
        {title}
      </h2>
      <p className="mt-2 max-w-[68ch] text-ink-2 text-pretty">{lead}</p>
      {children}
    </section>
  )
}

type UseCase = {
  readonly title: string
  readonly who: string
  readonly text: string
  readonly sample: CodeSample
  readonly link: { readonly href: string; readonly name: string }
}

/** Uses of the API, each with code and a link. */
export function UseCases({ cases }: { cases: readonly UseCase[] }) {
  return (
    <Part id="uses" title="What people build" lead="One key for HTTP, webhooks and AI tools.">
      <ul className="mt-5 grid gap-8 max-lg:-mx-4 max-lg:flex max-lg:snap-x max-lg:snap-mandatory max-lg:scroll-px-4 max-lg:gap-4 max-lg:overflow-x-auto max-lg:px-4 max-lg:pb-2 lg:grid-cols-3">
        {cases.map(({ title, who, text, sample, link }) => (
          <li
            key={title}
            className="grid min-w-0 gap-3 max-lg:w-[88%] max-lg:max-w-100 max-lg:shrink-0 max-lg:snap-start max-lg:grid-rows-[auto_1fr_auto] lg:row-span-3 lg:grid-rows-subgrid"
          >
            <div>
              <p className="text-note text-ink-2 max-sm:hidden">{who}</p>
              <h3 className="mt-1 text-h2 font-semibold">{title}</h3>
              <p className="mt-1 text-ink-2 text-pretty">{text}</p>
            </div>
            <CodeFigure {...sample} />
            <a className="prose-link w-fit" href={link.href}>
              {link.name}
            </a>
          </li>
        ))}
      </ul>
    </Part>
  )
}

type Entry = { readonly what: string; readonly answer: string; readonly credits: number; readonly balance: number }

/** Formats an amount with its sign: `+20`, `−5` with a true minus sign, or `0`. */
function signed(credits: number): string {
  if (credits === 0) return '0'
  return credits > 0 ? `+${credits}` : `−${Math.abs(credits)}`
}

const number = 'py-2 pl-3 text-right align-top font-mono text-table'

function Line({ entry }: { entry: Entry }) {
  const isCall = /^[A-Z]+ \//.test(entry.what)
  return (
    <tr className="border-b border-line">
      <th scope="row" className="py-2 text-left align-top font-normal">
        {isCall ? <Path text={entry.what} /> : entry.what}
        <span className="block text-note text-ink-2">{entry.answer}</span>
      </th>
      <td className={number}>{signed(entry.credits)}</td>
      <td className={number}>{entry.balance}</td>
    </tr>
  )
}

/** Statement with a running balance: one line per call. */
function Statement({ entries }: { entries: readonly Entry[] }) {
  return (
    <table className="w-full">
      <caption className="sr-only">Statement of a new account</caption>
      <StatementHead what="Call" />
      <tbody>
        {entries.map((entry) => (
          <Line key={entry.what} entry={entry} />
        ))}
      </tbody>
      <tfoot>
        <tr className="border-t-3 border-double border-line-strong font-semibold">
          <th scope="row" colSpan={2} className="py-2 text-left">
            Closing balance
          </th>
          <td className={number}>{entries.at(-1)?.balance ?? 0}</td>
        </tr>
      </tfoot>
    </table>
  )
}

const promises = [
  'Errors, unchanged responses and test calls are free.',
  'Set a monthly cap for a key, or a maximum for one call.',
  'Look up any call by its ID to see its parameters, status and time.',
] as const

/** Price in one line, next to the statement of a new account. */
export function Pricing({ price, entries }: { price: string; entries: readonly Entry[] }) {
  return (
    <section aria-labelledby="price" className="mt-8 grid items-center gap-x-12 gap-y-6 sm:mt-14 lg:grid-cols-[5fr_6fr]">
      <div>
        <h2 id="price" className="text-h1 font-semibold tracking-tight text-balance">
          Pay for the rows you read
        </h2>
        <p className="mt-2 text-pretty">
          {price}{' '}
          <a className="prose-link whitespace-nowrap" href="/docs/prices">
            See all prices
          </a>
        </p>
        <ul className="mt-4 list-disc pl-5 text-ink-2 marker:text-accent">
          {promises.map((line) => (
            <li key={line} className="py-0.5 pl-1">
              {line}
            </li>
          ))}
        </ul>
      </div>
      <figure className="min-w-0 overflow-hidden rounded-panel border border-line bg-surface shadow-float">
        <figcaption className="border-b border-line bg-sunken px-4 py-2.5 text-note text-ink-2">Billing · Statement</figcaption>
        <div className="px-4 pb-2">
          <Statement entries={entries} />
        </div>
      </figure>
    </section>
  )
}

/** Second call to action, with the steps to a live key and the attribution. */
export function ClosingCall({ licence, attribution }: { licence: string; attribution: string }) {
  return (
    <section
      aria-labelledby="start"
      className="mt-8 grid gap-x-12 gap-y-5 rounded-panel border border-line bg-surface p-6 sm:mt-14 sm:p-8 lg:grid-cols-[7fr_5fr]"
    >
      <div>
        <h2 id="start" className="text-h1 font-semibold tracking-tight text-balance">
          Make your first call in under a minute
        </h2>
        <p className="mt-2 max-w-[68ch] text-ink-2 text-pretty">
          {testKeyNote} {shortApprovalNote}
        </p>
        <Actions />
      </div>
      <p className="self-center text-note text-pretty text-ink-2 lg:border-l lg:border-line lg:py-4 lg:pl-8 lg:text-body">
        Show “{attribution}” wherever you show the data.{' '}
        <a className="prose-link" href={`/licence/${licence}`}>
          Read the Data Licence {licence}
        </a>
      </p>
    </section>
  )
}
