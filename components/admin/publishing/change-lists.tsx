import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { Words } from '#components/ui/phrase.tsx'
import { type ChangeKind, changeKinds } from '#server/api/contract/changelog.ts'
import { type EmailProgress, emailProgress } from './counts.ts'
import { DraftSection } from './draft-section.tsx'

type Draft = { readonly id: string; readonly kind: ChangeKind; readonly title: string; readonly changedAt: Date }
type Entry = { readonly id: string; readonly kind: ChangeKind; readonly title: string; readonly publishedAt: Date; readonly mails: EmailProgress | null }

const kind = { name: 'Kind', cell: (row: { readonly kind: ChangeKind }) => changeKinds[row.kind] }

const titled = (getHref: (id: string) => string) => ({
  name: 'Title',
  isHead: true,
  cell: ({ id, title }: { readonly id: string; readonly title: string }) => (
    <a className="prose-link" href={getHref(id)}>
      <Words text={title} />
    </a>
  ),
})

const draftColumns = [titled((id) => `/admin/changelog/${id}`), kind, { name: 'Last changed', cell: ({ changedAt }: Draft) => <Time at={changedAt} /> }]

const entryColumns = [
  titled((id) => `/changelog#${id}`),
  kind,
  { name: 'Published', cell: ({ publishedAt }: Entry) => <Time at={publishedAt} /> },
  { name: 'Emails', cell: ({ mails }: Entry) => emailProgress(mails) },
]

/** Drafts and published changelog entries, with the progress of their emails. */
export function ChangeLists({ drafts, entries }: { drafts: readonly Draft[]; entries: readonly Entry[] }) {
  return (
    <>
      <DraftSection id="drafts" title="Drafts">
        {drafts.length === 0 ? <p>No drafts.</p> : <DataTable caption="Drafts, oldest first" columns={draftColumns} rows={drafts} rowKey={({ id }) => id} />}
      </DraftSection>
      <DraftSection id="published" title="Published">
        {entries.length === 0 ? (
          <p>Nothing published yet.</p>
        ) : (
          <DataTable caption="Published entries, newest first" columns={entryColumns} rows={entries} rowKey={({ id }) => id} />
        )}
      </DraftSection>
    </>
  )
}
