import { Button, ButtonLink } from '#components/ui/button.tsx'
import { type AuditView, auditHref, isNarrowed } from './audit-view.ts'
import { filterBox, Labelled } from './labelled.tsx'

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
