import { Time } from '#components/data/time.tsx'
import { ago } from '#components/data/time-format.ts'
import { number } from '#components/portal/amounts.ts'

type Waiting = { readonly count: number; readonly oldest: Date | null }

/** Larger counts are shown as “More than 1,000”. */
const maxCounted = 1_000

/** Kinds of open work, most urgent first, with their labels and pages. The keys are the fields that `admin.now.list` returns. */
const kinds = {
  tickets: { one: 'message to answer', many: 'messages to answer', href: '/admin/support' },
  imports: { one: 'import to confirm', many: 'imports to confirm', href: '/admin/imports' },
  review: { one: 'account to review', many: 'accounts to review', href: '/admin/review' },
  proposals: {
    one: 'credit adjustment to approve',
    many: 'credit adjustments to approve',
    href: '/admin/credits',
  },
  asked: { one: 'webhook request', many: 'webhook requests', href: '/admin/accounts?standing=asked' },
  dead: { one: 'endpoint with dead deliveries', many: 'endpoints with dead deliveries', href: '/admin/deliveries' },
  debt: { one: 'account in debt', many: 'accounts in debt', href: '/admin/accounts?standing=debt' },
  quality: { one: 'implausible rate', many: 'implausible rates', href: '/admin/quality' },
} as const

type Kind = keyof typeof kinds

const kindNames = Object.keys(kinds) as Kind[]

function Line({ kind, count, oldest }: Waiting & { kind: Kind }) {
  const { one, many, href } = kinds[kind]
  return (
    <li className="py-3">
      <a className="prose-link font-medium" href={href}>
        {count > maxCounted ? `More than ${number(maxCounted)}` : number(count)} {count === 1 ? one : many}
      </a>
      {oldest === null ? null : (
        <span className="block text-note text-ink-2">
          Oldest: <Time at={oldest}>{ago(oldest, new Date())}</Time>
        </span>
      )}
    </li>
  )
}

/** Open work for administrators. Kinds without open items are left out. */
export function AdminOverview({ waiting }: { waiting: Readonly<Record<Kind, Waiting>> }) {
  const busy = kindNames.filter((kind) => waiting[kind].count > 0)
  if (busy.length === 0) return <p>Nothing to do.</p>
  return (
    <ul className="divide-y divide-line border-y border-line">
      {busy.map((kind) => (
        <Line key={kind} kind={kind} {...waiting[kind]} />
      ))}
    </ul>
  )
}

/** Number of open items and the time of the oldest. */
export function WaitingSummary({ count, oldest, one, many }: { count: number; oldest: Date | null; one: string; many: string }) {
  if (oldest === null) return null
  return (
    <p className="mb-6">
      {number(count)} {count === 1 ? one : many}, oldest since <Time at={oldest} isStop />.
    </p>
  )
}
