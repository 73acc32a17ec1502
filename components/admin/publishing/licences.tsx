'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Time } from '#components/data/time.tsx'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { number } from '#components/portal/amounts.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { ActionForm } from '../kit/action-form.tsx'
import { type AdminColumn, AdminTable } from '../kit/admin-table.tsx'
import { CellLink, EmailPreview, Heading, type Outputs, Section } from '../kit/layout.tsx'
import { accountCount, DraftForms, emailProgress, reason } from './drafts.tsx'

/** The Markdown renderer is loaded only for a preview. */
const Markdown = lazy(() => import('#components/docs/markdown.tsx').then(({ Markdown: component }) => ({ default: component })))

type Lists = Outputs['licences']['list']

const list = '/admin/licences'

const draftColumns: readonly AdminColumn<Lists['drafts'][number]>[] = [
  { name: 'Version', isHead: true, cell: ({ id, label }) => <CellLink href={`${list}/${id}`}>{label}</CellLink> },
  { name: 'Last changed', cell: ({ changedAt }) => <Time at={changedAt} look="row" /> },
]

const versionColumns: readonly AdminColumn<Lists['versions'][number]>[] = [
  { name: 'Version', isHead: true, cell: ({ label }) => <CellLink href={`/licence/${label}`}>{label}</CellLink> },
  { name: 'Published', cell: ({ publishedAt }) => <Time at={publishedAt} look="day" /> },
  { name: 'Grace period ends', cell: ({ graceEndsAt }) => <Time at={graceEndsAt} look="day" /> },
  { name: 'Accounts', isNumber: true, cell: ({ accounts }) => number(accounts) },
  { name: 'Emails', cell: ({ mails }) => emailProgress(mails) },
]

/** Drafts and published versions of the Data Licence. Each version shows the number of accounts for which it is the latest accepted version. */
export function LicenceLists() {
  const { data } = useSuspenseQuery(useTRPC().admin.licences.list.queryOptions())
  const { drafts, versions, none } = data
  return (
    <>
      <Heading title="Licences" />
      <ButtonLink kind="primary" href={`${list}/new`}>
        New version
      </ButtonLink>
      <Section id="drafts" title="Drafts">
        <AdminTable caption="Drafts, oldest first" columns={draftColumns} rows={drafts} rowKey={({ id }) => id} empty="No drafts." />
      </Section>
      <Section id="versions" title="Versions" lead="Each account is counted under the latest version it has accepted.">
        <AdminTable caption="Versions, newest first" columns={versionColumns} rows={versions} rowKey={({ label }) => label} empty="No versions." />
        {none === 0 ? null : (
          <p className="mt-3">
            {accountCount(none)} {none === 1 ? 'has' : 'have'} not accepted any version.
          </p>
        )}
      </Section>
    </>
  )
}

type Text = Pick<Outputs['licences']['read']['draft'], 'label' | 'changes' | 'body' | 'graceEndsOn'>

/** Form fields of a licence version, for new and existing drafts. */
function LicenceFields({ text: { label, changes, body, graceEndsOn } }: { text: Text }) {
  return (
    <>
      <TextField name="label" label="Version" size="short" defaultValue={label} hint="Year and month, such as v2027-01." />
      <TextAreaField
        name="changes"
        label="What changed"
        rows={4}
        defaultValue={changes}
        hint="Shown on the acceptance page, in the changelog and in the email."
      />
      <TextField
        name="graceEndsOn"
        label="Grace period ends"
        type="date"
        size="short"
        defaultValue={graceEndsOn}
        hint="At 00:00 UTC on this date. From then on, calls from accounts that haven’t accepted this version are rejected."
      />
      <TextAreaField name="body" label="Text" rows={16} defaultValue={body} hint="Markdown, without the title." />
    </>
  )
}

/** Form for a new version. `body` is the text of the current version, `label` its label. */
export function NewLicence({ label, body }: { label: string; body: string }) {
  return (
    <div className="max-w-152">
      <Heading title="New version" />
      <p className="mb-6">The draft starts with the text of the current version, {label}.</p>
      <ActionForm
        mutation={useTRPC().admin.licences.begin.mutationOptions()}
        name="new"
        kind="primary"
        button="Save and preview"
        reason={reason}
        done={({ id }) => goTo(`${list}/${id}`)}
      >
        <LicenceFields text={{ label: '', changes: '', body, graceEndsOn: '' }} />
      </ActionForm>
    </div>
  )
}

/** Preview of a draft licence version, with forms for the actions on it. `current` is the label of the current version. */
export function LicenceDraft({ id, current }: { id: string; current: string }) {
  const { licences } = useTRPC().admin
  const { data } = useSuspenseQuery(licences.read.queryOptions({ id }))
  const { draft, message, concerned, recipientCount } = data
  return (
    <>
      <Heading title={`Draft ${draft.label}`} back={{ href: list, name: 'Licences' }} />
      <Section id="mail" title="Email preview">
        <EmailPreview message={message} />
      </Section>
      <DraftForms
        draft={draft}
        list={list}
        publish={licences.publish.mutationOptions()}
        rewrite={licences.rewrite.mutationOptions()}
        discard={licences.discard.mutationOptions()}
        publishing={{
          button: `Publish ${draft.label} and email ${accountCount(recipientCount)}`,
          lead: 'A published version can’t be changed and stays available permanently.',
          effect: (
            <p>
              Current version: {current}. New version: {draft.label}, to be accepted by {accountCount(concerned)}. Calls from accounts that haven’t accepted it
              are rejected from <Time at={`${draft.graceEndsOn}T00:00:00Z`} look="day" />.
            </p>
          ),
        }}
        fields={<LicenceFields text={draft} />}
      />
      <Section id="text" title="Text preview">
        <div className="max-w-[68ch] border-t border-line">
          <Suspense>
            <Markdown source={draft.body} />
          </Suspense>
        </div>
      </Section>
    </>
  )
}
