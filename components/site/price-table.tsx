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
  readonly availability: 'Open' | 'Test only' | 'Coming soon'
  readonly opensAs: 'Open' | 'Test only' | null
  readonly plan: string | null
}

const tones = { 'Test only': 'test', 'Coming soon': 'plain' } as const satisfies Partial<Record<PriceLine['availability'], Tone>>

/** Tags of an endpoint that isn't open to every live key. */
function Exceptions({ availability, opensAs, plan }: PriceLine) {
  if (availability === 'Open' && plan === null) return null
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-1.5 gap-y-1">
      {availability === 'Open' ? null : <Tag tone={tones[availability]}>{availability}</Tag>}
      {opensAs === null ? null : <span className="text-note text-ink-2">then {opensAs.toLowerCase()}</span>}
      {plan === null ? null : <Tag tone="plain">{plan}</Tag>}
    </span>
  )
}

function Row({ line }: { line: PriceLine }) {
  return (
    <tr className="border-b border-line">
      <th scope="row" className="py-2 pr-4 text-left align-top font-normal">
        <span className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <a className="prose-link" href={line.href}>
            <Path text={line.method === 'GET' ? line.path : `${line.method} ${line.path}`} />
          </a>
          <Exceptions {...line} />
        </span>
        <span className="mt-0.5 block text-note text-ink-2">{line.summary}</span>
      </th>
      <td className="w-34 py-2 text-right align-top">
        <Cost text={line.cost} />
        {line.money === null ? null : <span className="block text-note text-ink-2">{line.money}</span>}
      </td>
    </tr>
  )
}

/** Endpoints with their prices. Tags mark those that not every live key can call. */
export function PriceTable({ caption, lines }: { caption: string; lines: readonly PriceLine[] }) {
  const head = 'py-2 text-note font-medium text-ink-2'
  return (
    <table className="w-full border-t border-line-strong">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b border-line-strong">
          <th scope="col" className={`${head} text-left`}>
            Endpoint
          </th>
          <th scope="col" className={`${head} text-right`}>
            Cost
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Row key={line.id} line={line} />
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
