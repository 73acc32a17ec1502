import type { ReactNode } from 'react'
import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { Button, ButtonLink } from '#components/ui/button.tsx'
import { type AuditView, auditHref, isNarrowed } from './audit-view.ts'
import { filterBox, Labelled } from './section.tsx'

const maxLength = 160

/** Formats a value on one line, truncated to 160 characters. */
function format(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

const getFields = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? { ...value } : {})

/** Changed fields of an audit entry, one per line. Unchanged fields are left out. */
function Difference({ before, after }: { before: unknown; after: unknown }) {
  const [old, now] = [getFields(before), getFields(after)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
  if (names.length === 0) return null
  return (
    <ul className="text-note text-ink-2">
      {names.map((name) => (
        <li key={name} className="wrap-anywhere">
          {name}:{' '}
          {name in old ? (
            <>
              <del className="no-underline">{format(old[name])}</del> →{' '}
            </>
          ) : null}
          <ins className="text-ink no-underline">{format(now[name])}</ins>
        </li>
      ))}
    </ul>
  )
}

type Line = {
  readonly id: string
  readonly at: Date
  readonly actor: string
  readonly action: string
  readonly subject: string | null
  readonly before: unknown
  readonly after: unknown
  readonly account: string | null
  readonly admin: string | null
  readonly reason: string | null
  readonly address: string | null
}

function About({ account }: { account: string | null }): ReactNode {
  if (account === null) return 'None'
  return (
    <a className="prose-link wrap-anywhere" href={`/admin/audit?account=${account}`}>
      {account}
    </a>
  )
}

const columns = [
  { name: 'When', cell: ({ at }: Line) => <Time at={at} look="second" />, isHead: true },
  {
    name: 'Who',
    cell: ({ actor, admin, address }: Line) => <span className="wrap-anywhere">{`${admin ?? actor}${address === null ? '' : ` from ${address}`}`}</span>,
  },
  {
    name: 'What',
    cell: ({ action, subject, before, after }: Line) => (
      <>
        <span className="wrap-anywhere">{subject === null ? action : `${action} ${subject}`}</span>
        <Difference before={before} after={after} />
      </>
    ),
  },
  { name: 'Account', cell: ({ account }: Line) => <About account={account} /> },
  { name: 'Why', cell: ({ reason }: Line) => (reason === null ? null : <span className="wrap-anywhere">{reason}</span>) },
]

/** Audit log entries with actor and reason, newest first. */
export function AuditTable({ lines, older, isFound }: { lines: readonly Line[]; older: string | null; isFound: boolean }) {
  if (lines.length === 0) return <p>{isFound ? 'No changes match.' : 'No changes yet.'}</p>
  return (
    <>
      <DataTable caption="Changes, newest first" columns={columns} rows={lines} rowKey={({ id }) => id} />
      {older === null ? null : (
        <p className="mt-3">
          <a className="prose-link" href={older}>
            Older changes
          </a>
        </p>
      )}
    </>
  )
}

function Text({ name, label, hint, value }: { name: keyof AuditView; label: string; hint: string; value: string | null }) {
  return (
    <Labelled label={label}>
      <input
        name={name}
        defaultValue={value ?? ''}
        placeholder={hint}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        maxLength={100}
        className={`${filterBox} font-mono`}
      />
    </Labelled>
  )
}

function Day({ name, label, value }: { name: 'from' | 'to'; label: string; value: string | null }) {
  return (
    <Labelled label={label}>
      <input name={name} type="date" defaultValue={value ?? ''} className={filterBox} />
    </Labelled>
  )
}

/** Filters of the audit log. A GET form, so it works without JavaScript. */
export function AuditFilters({ view, actions }: { view: AuditView; actions: readonly string[] }) {
  return (
    <search>
      <form action="/admin/audit" className="mb-4 grid grid-cols-1 items-end gap-3 border-y border-line py-4 sm:grid-cols-2 lg:grid-cols-3">
        <Text name="account" label="Account" hint="acc_…" value={view.account} />
        <Text name="admin" label="Administrator" hint="acc_…" value={view.admin} />
        <Text name="subject" label="Subject" hint="key_…" value={view.subject} />
        <Labelled label="Action">
          <select name="action" defaultValue={view.action ?? ''} className={filterBox}>
            <option value="">All actions</option>
            {actions.map((action) => (
              <option key={action} value={action}>
                {action}
              </option>
            ))}
          </select>
        </Labelled>
        <Day name="from" label="From, in UTC" value={view.from} />
        <Day name="to" label="To, in UTC" value={view.to} />
        <div className="flex flex-wrap gap-3 sm:col-span-2 lg:col-span-3">
          <Button kind="second" type="submit">
            Find changes
          </Button>
          {isNarrowed(view) ? (
            <ButtonLink kind="second" href="/admin/audit">
              Show all
            </ButtonLink>
          ) : null}
          <ButtonLink kind="second" href={auditHref('/admin/audit/csv', view)}>
            Download CSV
          </ButtonLink>
        </div>
      </form>
    </search>
  )
}
