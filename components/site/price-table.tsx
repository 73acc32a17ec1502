import { Cost, Path, Words } from '#components/ui/phrase.tsx'
import { Tag, type Tone } from '#components/ui/tag.tsx'

export type PriceLine = {
  readonly id: string
  readonly method: string
  readonly path: string
  /** URL of the endpoint's reference page. */
  readonly href: string
  readonly summary: string
  readonly cost: string
  readonly money: string | null
  readonly scope: string
  readonly availability: 'Open' | 'Test only' | 'Coming soon'
  readonly opensAs: 'Open' | 'Test only' | null
  readonly plan: string | null
}

const tones = { 'Test only': 'test', 'Coming soon': 'plain' } as const satisfies Partial<Record<PriceLine['availability'], Tone>>

function Availability({ availability, opensAs, plan }: PriceLine) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-1.5 gap-y-1">
      {availability === 'Open' ? availability : <Tag tone={tones[availability]}>{availability}</Tag>}
      {opensAs === null ? null : <span className="text-note text-ink-2">then {opensAs.toLowerCase()}</span>}
      {plan === null ? null : <Tag tone="plain">{plan}</Tag>}
    </span>
  )
}

const cell = 'sm:px-2 sm:py-2.5 sm:first:pl-0 sm:last:pr-0 sm:align-top'

function Row({ line }: { line: PriceLine }) {
  return (
    <tr className="flex flex-wrap justify-between gap-y-1 border-b border-line py-3 sm:table-row sm:py-0">
      <th scope="row" className={`${cell} w-[calc(100%-8.5rem)] pr-3 text-left font-normal sm:w-auto`}>
        <a className="prose-link" href={line.href}>
          <Path text={line.method === 'GET' ? line.path : `${line.method} ${line.path}`} />
        </a>
        <span className="mt-0.5 block text-note text-ink-2">{line.summary}</span>
      </th>
      <td className={`${cell} w-34 text-right sm:w-auto sm:text-left`}>
        <Cost text={line.cost} />
        {line.money === null ? null : <span className="block text-note text-ink-2">{line.money}</span>}
      </td>
      <td className={`${cell} text-note text-ink-2 sm:text-table`}>{line.scope}</td>
      <td className={cell}>
        <Availability {...line} />
      </td>
    </tr>
  )
}

/** Endpoints with their prices. On a phone each row becomes two lines. */
export function PriceTable({ caption, lines }: { caption: string; lines: readonly PriceLine[] }) {
  const head = 'py-2 pr-2 pl-2 text-left text-note font-medium text-ink-2 first:pl-0 last:pr-0'
  return (
    <table className="block w-full border-t border-line-strong sm:table">
      <caption className="sr-only">{caption}</caption>
      <thead className="sr-only sm:not-sr-only sm:table-header-group">
        <tr className="border-b border-line-strong">
          <th scope="col" className={head}>
            Endpoint
          </th>
          <th scope="col" className={`${head} w-36`}>
            Cost
          </th>
          <th scope="col" className={`${head} w-44`}>
            Scope
          </th>
          <th scope="col" className={`${head} w-60`}>
            Availability
          </th>
        </tr>
      </thead>
      <tbody className="block sm:table-row-group">
        {lines.map((line) => (
          <Row key={line.id} line={line} />
        ))}
      </tbody>
    </table>
  )
}

type LimitLine = { readonly name: string; readonly perMinute: number; readonly perDay: number | null; readonly reach: string }

const grouped = new Intl.NumberFormat('en-GB')

/** Rate limits and included endpoints of each plan. */
export function LimitsTable({ lines }: { lines: readonly LimitLine[] }) {
  const head = 'py-2 pr-3 text-left text-note font-medium text-ink-2 align-bottom'
  const cell = 'py-2.5 pr-3 align-top'
  return (
    <table className="w-full border-t border-line-strong">
      <caption className="sr-only">Limits of each plan</caption>
      <thead>
        <tr className="border-b border-line-strong">
          <th scope="col" className={head}>
            Plan
          </th>
          <th scope="col" className={`${head} text-right`}>
            Per minute, per key
          </th>
          <th scope="col" className={`${head} text-right`}>
            Per day, per account
          </th>
          <th scope="col" className={`${head} hidden pl-6 sm:table-cell`}>
            Endpoints included
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ name, perMinute, perDay, reach }) => (
          <tr key={name} className="border-b border-line">
            <th scope="row" className={`${cell} text-left font-normal`}>
              {name}
              <span className="block text-note text-ink-2 sm:hidden">{reach}</span>
            </th>
            <td className={`${cell} text-right tabular-nums`}>{grouped.format(perMinute)}</td>
            <td className={`${cell} text-right tabular-nums`}>{perDay === null ? 'No limit' : grouped.format(perDay)}</td>
            <td className={`${cell} hidden pl-6 text-ink-2 sm:table-cell`}>{reach}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type Rule = { readonly title: string; readonly text: string }

/** List of short rules, each with a title. */
export function Rules({ rules }: { rules: readonly Rule[] }) {
  return (
    <dl className="border-t border-line-strong">
      {rules.map(({ title, text }) => (
        <div key={title} className="border-b border-line py-3 sm:grid sm:grid-cols-[12rem_1fr] sm:gap-4">
          <dt className="font-medium">{title}</dt>
          <dd className="mt-0.5 max-w-[68ch] text-pretty text-ink-2 sm:mt-0">
            <Words text={text} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
