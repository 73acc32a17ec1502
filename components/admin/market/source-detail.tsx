import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { TextAreaField } from '#components/forms/field.tsx'
import { Form, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { number } from '#components/portal/amounts.ts'
import { Fact } from '#components/portal/fact.tsx'
import { AdminSection, AdminTitle } from '../section.tsx'
import { AsOf, Brought, type ShownSource, SourceTag } from './imports.tsx'
import { describeCounts, type ShownPreview } from './quarantined-import.tsx'

type Order = { readonly orderedAt: Date; readonly settledAt: Date | null; readonly outcome: string | null }

/** Details and current state of a source. */
export function SourceDetails({ line, order }: { line: ShownSource & { readonly url: string }; order: Order | null }) {
  return (
    <>
      <p className="mb-2">
        <a className="prose-link" href="/admin/imports">
          Imports
        </a>
      </p>
      <AdminTitle aside={<SourceTag state={line.state} />}>{line.title}</AdminTitle>
      <dl className="border-t border-line">
        <Fact name="Name">
          <code className="font-mono text-table">{line.name}</code>
        </Fact>
        <Fact name="URL">
          <code className="font-mono text-table wrap-anywhere">{line.url}</code>
        </Fact>
        <Fact name="Last data">
          <Brought {...line} />
        </Fact>
        <Fact name="As of">
          <AsOf {...line} />
        </Fact>
        <Fact name="Next">
          <Time at={line.nextAt} isStop />
        </Fact>
        {order === null ? null : (
          <Fact name="Requested">
            <Time at={order.orderedAt} isStop />. {order.settledAt === null ? 'Fetching.' : order.outcome}
          </Fact>
        )}
      </dl>
    </>
  )
}

type Fetch = { readonly at: Date; readonly rows: number | null; readonly changed: number | null; readonly error: string | null }

function describe({ error, rows, changed }: Fetch): string {
  if (error !== null) return error
  return rows === null ? 'Unchanged since the last fetch.' : `${number(rows)} rows, ${number(changed ?? 0)} new or changed.`
}

/** Results of a source's recent fetches. */
export function FetchTable({ fetches }: { fetches: readonly Fetch[] }) {
  return (
    <AdminSection id="fetches" title="Recent fetches">
      {fetches.length === 0 ? (
        <p>No fetches yet.</p>
      ) : (
        <DataTable
          caption="Recent fetches, newest first"
          rows={fetches}
          rowKey={({ at }) => at.toISOString()}
          columns={[
            { name: 'When', isHead: true, cell: ({ at }) => <Time at={at} look="row" /> },
            { name: 'Result', cell: (fetch) => <span className="whitespace-pre-line wrap-anywhere">{describe(fetch)}</span> },
          ]}
        />
      )}
    </AdminSection>
  )
}

const why = { name: 'reason', label: 'Why', hint: 'Recorded in the audit log.', rows: 2 } as const

type HeldProps = { source: string; feed: number; preview: ShownPreview; publish: FormAction; decline: FormAction }

/** Forms that publish or decline a quarantined import. */
export function HeldForms({ source, feed, preview, publish, decline }: HeldProps) {
  return (
    <>
      <AdminSection id="publish" title="Publish">
        <p className="mb-4 max-w-prose text-pretty text-ink-2">
          Imports the whole feed. It would {describeCounts(preview)}. Callers see the changes on their next call, and webhooks are sent. This can’t be rolled
          back, only replaced by another feed.
        </p>
        <Form action={publish} name="publish">
          <input type="hidden" name="source" value={source} />
          <input type="hidden" name="feed" value={feed} />
          <TextAreaField {...why} />
          <SubmitButton>Publish {number(preview.rows)} rows</SubmitButton>
        </Form>
      </AdminSection>
      <AdminSection id="decline" title="Decline">
        <p className="mb-4 max-w-prose text-pretty text-ink-2">
          Nothing is imported. The content of this feed is deleted, and the same content won’t be quarantined again.
        </p>
        <Form action={decline} name="decline">
          <input type="hidden" name="source" value={source} />
          <input type="hidden" name="feed" value={feed} />
          <TextAreaField {...why} />
          <SubmitButton kind="danger">Decline this feed</SubmitButton>
        </Form>
      </AdminSection>
    </>
  )
}

/** Form that requests an immediate fetch of a source. */
export function FetchForm({ source, fetch }: { source: string; fetch: FormAction }) {
  return (
    <AdminSection id="fetch" title="Fetch now">
      <p className="mb-4 max-w-prose text-pretty text-ink-2">
        The worker fetches it within seconds, even if it isn’t due. An import with unusually large changes is still quarantined.
      </p>
      <Form action={fetch} name="fetch">
        <input type="hidden" name="source" value={source} />
        <TextAreaField {...why} />
        <SubmitButton kind="second">Fetch now</SubmitButton>
      </Form>
    </AdminSection>
  )
}
