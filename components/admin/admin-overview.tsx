import { ago } from '#components/data/dates.ts'
import { Time } from '#components/data/time.tsx'
import { number } from '#components/portal/amounts.ts'

type Waiting = { readonly count: number; readonly oldest: Date | null }

/** Beyond so many they are not counted. */
const mostCounted = 1_000

/** What may need somebody, the gravest first: what it is called for one and for many, and where it is seen to. A line here is a count of `admin.now.list`. */
const kinds = {
  imports: { one: 'feed is held until somebody confirms it', many: 'feeds are held until somebody confirms them', href: '/admin/imports' },
  review: { one: 'account waits for its review', many: 'accounts wait for their review', href: '/admin/review' },
  proposals: {
    one: 'movement of credits waits for a second administrator',
    many: 'movements of credits wait for a second administrator',
    href: '/admin/credits',
  },
  asked: { one: 'account asks for webhooks', many: 'accounts ask for webhooks', href: '/admin/accounts?standing=asked' },
  dead: { one: 'endpoint has deliveries that died', many: 'endpoints have deliveries that died', href: '/admin/deliveries' },
  debt: { one: 'account is in debt', many: 'accounts are in debt', href: '/admin/accounts?standing=debt' },
  quality: { one: 'rate is hard to believe', many: 'rates are hard to believe', href: '/admin/quality' },
} as const

type Kind = keyof typeof kinds

const kindNames = Object.keys(kinds) as Kind[]

function Line({ kind, count, oldest }: Waiting & { kind: Kind }) {
  const { one, many, href } = kinds[kind]
  return (
    <li className="py-3">
      <a className="prose-link font-medium" href={href}>
        {count > mostCounted ? `More than ${number(mostCounted)}` : number(count)} {count === 1 ? one : many}
      </a>
      {oldest === null ? null : (
        <span className="block text-note text-ink-2">
          The first since <Time at={oldest}>{ago(oldest, new Date())}</Time>
        </span>
      )}
    </li>
  )
}

/** What needs somebody at the desk now. What is at rest is not told. */
export function AdminOverview({ waiting }: { waiting: Readonly<Record<Kind, Waiting>> }) {
  const busy = kindNames.filter((kind) => waiting[kind].count > 0)
  if (busy.length === 0) return <p>Nothing waits for you.</p>
  return (
    <ul className="divide-y divide-line border-y border-line">
      {busy.map((kind) => (
        <Line key={kind} kind={kind} {...waiting[kind]} />
      ))}
    </ul>
  )
}
