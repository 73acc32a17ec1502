import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { number } from '#components/portal/amounts.ts'
import { Fact } from '#components/portal/fact.tsx'
import { AdminSection, AdminTitle } from '../admin-title.tsx'
import { AsOf, Brought, type ShownSource } from './import-tables.tsx'
import { SourceTag } from './source-tag.tsx'

type Order = { readonly orderedAt: Date; readonly settledAt: Date | null; readonly outcome: string | null }

/** Details and state of a source. */
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

/** Results of a source's last fetches. */
export function FetchTable({ fetches }: { fetches: readonly Fetch[] }) {
  return (
    <AdminSection id="fetches" title="Last fetches">
      {fetches.length === 0 ? (
        <p>No fetches yet.</p>
      ) : (
        <DataTable
          caption="Last fetches, newest first"
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
