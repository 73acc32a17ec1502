import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { Words } from '#components/ui/phrase.tsx'
import { type ChangeKind, changeKinds } from '#server/api/contract/changelog.ts'
import { accountCount, DraftSection, type EmailProgress, emailProgress } from './draft-section.tsx'

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

type DraftLicence = { readonly id: string; readonly label: string; readonly changedAt: Date }
type Version = {
  readonly label: string
  readonly publishedAt: Date
  readonly graceEndsAt: Date
  readonly accounts: number
  readonly mails: EmailProgress | null
}

const labelled = <Row extends { readonly label: string }>(getHref: (row: Row) => string) => ({
  name: 'Version',
  isHead: true,
  cell: (row: Row) => (
    <a className="prose-link" href={getHref(row)}>
      {row.label}
    </a>
  ),
})

const licenceDraftColumns = [
  labelled(({ id }: DraftLicence) => `/admin/licences/${id}`),
  { name: 'Last changed', cell: ({ changedAt }: DraftLicence) => <Time at={changedAt} /> },
]

const versionColumns = [
  labelled(({ label }: Version) => `/licence/${label}`),
  { name: 'Published', cell: ({ publishedAt }: Version) => <Time at={publishedAt} look="day" /> },
  { name: 'Grace period ends', cell: ({ graceEndsAt }: Version) => <Time at={graceEndsAt} look="day" /> },
  { name: 'Accepted by', isNumber: true, cell: ({ accounts }: Version) => accountCount(accounts) },
  { name: 'Emails', cell: ({ mails }: Version) => emailProgress(mails) },
]

type Props = { drafts: readonly DraftLicence[]; versions: readonly Version[]; none: number }

/** Drafts and published versions of the Data Licence. Each version shows the number of accounts for which it is the latest accepted version. */
export function LicenceLists({ drafts, versions, none }: Props) {
  return (
    <>
      <DraftSection id="drafts" title="Drafts">
        {drafts.length === 0 ? (
          <p>No drafts.</p>
        ) : (
          <DataTable caption="Drafts, oldest first" columns={licenceDraftColumns} rows={drafts} rowKey={({ id }) => id} />
        )}
      </DraftSection>
      <DraftSection id="versions" title="Versions" lead="Each account counts towards the version it accepted last.">
        <DataTable caption="Versions, newest first" columns={versionColumns} rows={versions} rowKey={({ label }) => label} />
        {none === 0 ? null : (
          <p className="mt-3">
            {accountCount(none)} {none === 1 ? 'has' : 'have'} not accepted any version.
          </p>
        )}
      </DraftSection>
    </>
  )
}
