'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { Time } from '#components/data/time.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { Chevron } from '#components/ui/chevron.tsx'
import { toActionName, toSentence, toValues } from './audit-sentences.ts'
import { type AdminColumn, AdminTable } from './kit/admin-table.tsx'
import { CopyId } from './kit/copy-id.tsx'
import { FilterBar } from './kit/filter-bar.tsx'
import { CellLink, Heading, type Outputs } from './kit/layout.tsx'
import { toHref } from './kit/search.ts'
import type { readAuditView } from './views.ts'

type View = ReturnType<typeof readAuditView>
type Line = Outputs['audit']['list']['lines'][number]

const maxLength = 160

/** Formats a value on one line, truncated to 160 characters. */
function format(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  const text = Array.isArray(value) ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

/** Splits the name of a field into words, such as `block reason`. */
const toWords = (name: string): string => name.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)

/** Collapsed details of an entry: its ids and changed fields. */
function Details({ line: { action, subject, address, before, after } }: { line: Line }) {
  const [old, now] = [toValues(before), toValues(after)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
  return (
    <details className="group mt-0.5 text-note font-normal text-ink-2">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1 font-normal hover:text-ink [&::-webkit-details-marker]:hidden">
        <Chevron />
        Details
      </summary>
      <p className="wrap-anywhere">
        {action} {subject === null ? null : <CopyId id={subject} />}
        {address === null ? null : <> from {address}</>}
      </p>
      <ul>
        {names.map((name) => (
          <li key={name} className="wrap-anywhere">
            {toWords(name)}: {name in old ? `${format(old[name])} → ` : ''}
            <ins className="text-ink no-underline">{format(now[name])}</ins>
          </li>
        ))}
      </ul>
    </details>
  )
}

const actors: Readonly<Record<string, string>> = { account: 'The customer', operator: 'The operator', service: 'The service' }

const getActor = ({ adminEmail, memberEmail, actor, accountEmail }: Line): string =>
  adminEmail ?? memberEmail ?? (actor === 'account' ? (accountEmail ?? 'The customer') : (actors[actor] ?? actor))

const columns: readonly AdminColumn<Line>[] = [
  {
    name: 'When',
    isBeside: true,
    cell: ({ at }) => (
      <span className="text-ink-2 xl:whitespace-nowrap">
        <Time at={at} look="row" />
      </span>
    ),
  },
  {
    name: 'What',
    isHead: true,
    cell: (line) => (
      <>
        <span className="wrap-anywhere">{toSentence(line)}</span>
        <Details line={line} />
      </>
    ),
  },
  {
    name: 'Account',
    cell: ({ account, accountEmail }) =>
      account === null ? (
        '–'
      ) : (
        <span className="xl:inline-block xl:min-w-48">
          <CellLink href={`/admin/audit?account=${account}`}>{accountEmail ?? account}</CellLink>
        </span>
      ),
  },
  {
    name: 'Who',
    cell: (line) => <span className="wrap-anywhere xl:inline-block xl:min-w-48">{getActor(line)}</span>,
  },
  { name: 'Why', cell: ({ reason }) => (reason === null ? '–' : <span className="wrap-anywhere">{reason}</span>) },
]

type TableProps = {
  lines: readonly Line[]
  empty: string
  /** URL of the next page; null on the last page. */
  older: string | null
  /** True if all entries are about the same account. The account is then omitted. */
  isOfOne?: boolean
}

/** Audit entries as sentences, newest first. */
export function AuditTable({ lines, empty, older, isOfOne = false }: TableProps) {
  return (
    <AdminTable
      caption="Entries, newest first"
      columns={isOfOne ? columns.filter(({ name }) => name !== 'Account') : columns}
      rows={lines}
      rowKey={({ id }) => id}
      empty={empty}
      next={{ href: older, name: 'Older entries' }}
    />
  )
}

/** Audit log with its filters. People are entered by email; the URL contains their ids. */
export function AuditLog({ view, cursor }: { view: View; cursor: string | null }) {
  const { audit } = useTRPC().admin
  const { data } = useSuspenseQuery(audit.list.queryOptions({ ...view, cursor }))
  const { data: actions } = useSuspenseQuery(audit.actions.queryOptions())
  const isNarrowed = Object.values(view).some((value) => value !== null)
  return (
    <>
      <Heading title="Audit log">
        <span className="ml-auto">
          <ButtonLink kind="second" size="compact" href={toHref('/admin/audit/csv', view)}>
            Download CSV
          </ButtonLink>
        </span>
      </Heading>
      <FilterBar
        path="/admin/audit"
        button="Find entries"
        filters={[
          { name: 'account', label: 'Account', type: 'person', placeholder: 'name@example.com', value: data.people.account },
          { name: 'admin', label: 'Administrator', type: 'person', placeholder: 'name@example.com', value: data.people.admin },
          {
            name: 'action',
            label: 'Action',
            any: 'All actions',
            value: view.action,
            options: actions.map((action) => [action, toActionName(action)] as const).toSorted(([, a], [, b]) => a.localeCompare(b)),
          },
          { name: 'subject', label: 'Subject', placeholder: 'Key ID, product ID or other ID', value: view.subject },
          { name: 'from', label: 'From (UTC)', type: 'date', value: view.from },
          { name: 'to', label: 'To (UTC)', type: 'date', value: view.to },
        ]}
        results={
          <AuditTable
            lines={data.lines}
            empty={isNarrowed ? 'No entries match.' : 'No entries yet.'}
            older={data.next === null ? null : toHref('/admin/audit', { ...view, cursor: data.next })}
          />
        }
      />
    </>
  )
}
