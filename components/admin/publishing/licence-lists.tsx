import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { accountCount, type EmailProgress, emailProgress } from './counts.ts'
import { DraftSection } from './draft-section.tsx'

type Draft = { readonly id: string; readonly label: string; readonly changedAt: Date }
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

const draftColumns = [labelled(({ id }: Draft) => `/admin/licences/${id}`), { name: 'Last changed', cell: ({ changedAt }: Draft) => <Time at={changedAt} /> }]

const versionColumns = [
  labelled(({ label }: Version) => `/licence/${label}`),
  { name: 'Published', cell: ({ publishedAt }: Version) => <Time at={publishedAt} look="day" /> },
  { name: 'Grace period ends', cell: ({ graceEndsAt }: Version) => <Time at={graceEndsAt} look="day" /> },
  { name: 'Accepted by', isNumber: true, cell: ({ accounts }: Version) => accountCount(accounts) },
  { name: 'Emails', cell: ({ mails }: Version) => emailProgress(mails) },
]

type Props = { drafts: readonly Draft[]; versions: readonly Version[]; none: number }

/** Drafts and published versions, with the number of accounts that accepted each version last. */
export function LicenceLists({ drafts, versions, none }: Props) {
  return (
    <>
      <DraftSection id="drafts" title="Drafts">
        {drafts.length === 0 ? <p>No drafts.</p> : <DataTable caption="Drafts, oldest first" columns={draftColumns} rows={drafts} rowKey={({ id }) => id} />}
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
