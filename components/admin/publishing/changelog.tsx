'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Time } from '#components/data/time.tsx'
import { RadioGroup } from '#components/forms/choice-field.tsx'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { Words } from '#components/ui/phrase.tsx'
import { changeKinds } from '#server/api/contract/changelog.ts'
import { ActionForm } from '../kit/action-form.tsx'
import { type AdminColumn, AdminTable } from '../kit/admin-table.tsx'
import { CellLink, EmailPreview, Heading, type Outputs, Section } from '../kit/layout.tsx'
import { accountCount, DraftForms, emailProgress, reason } from './drafts.tsx'
import { type Endpoint, EndpointPicker } from './endpoint-picker.tsx'

/** The Markdown renderer is loaded only for a preview. */
const ChangelogList = lazy(() => import('#components/docs/changelog.tsx').then(({ ChangelogList: component }) => ({ default: component })))

type Lists = Outputs['changelog']['list']
type Draft = Outputs['changelog']['read']['draft']
type Row = Pick<Draft, 'id' | 'kind' | 'title'>

const list = '/admin/changelog'

/** Columns for the title and the kind of an entry. `path` is the URL without its id. */
const columns = (path: string): readonly AdminColumn<Row>[] => [
  {
    name: 'Title',
    isHead: true,
    cell: ({ id, title }) => (
      <CellLink href={`${path}${id}`}>
        <Words text={title} />
      </CellLink>
    ),
  },
  { name: 'Kind', cell: ({ kind }) => changeKinds[kind] },
]

const draftColumns: readonly AdminColumn<Lists['drafts'][number]>[] = [
  ...columns(`${list}/`),
  { name: 'Last changed', cell: ({ changedAt }) => <Time at={changedAt} look="row" /> },
]

const entryColumns: readonly AdminColumn<Lists['entries'][number]>[] = [
  ...columns('/changelog#'),
  { name: 'Published', cell: ({ publishedAt }) => <Time at={publishedAt} look="day" /> },
  { name: 'Emails', cell: ({ mails }) => emailProgress(mails) },
]

/** Drafts and published changelog entries, with the progress of their emails. */
export function ChangeLists() {
  const { data } = useSuspenseQuery(useTRPC().admin.changelog.list.queryOptions())
  return (
    <>
      <Heading title="Changelog" />
      <ButtonLink kind="primary" href={`${list}/new`}>
        New entry
      </ButtonLink>
      <Section id="drafts" title="Drafts">
        <AdminTable caption="Drafts, oldest first" columns={draftColumns} rows={data.drafts} rowKey={({ id }) => id} empty="No drafts." />
      </Section>
      <Section id="published" title="Published">
        <AdminTable
          caption="Published entries, newest first"
          columns={entryColumns}
          rows={data.entries}
          rowKey={({ id }) => id}
          empty="Nothing published yet."
        />
      </Section>
    </>
  )
}

type Text = Pick<Draft, 'kind' | 'title' | 'body' | 'endpointIds'>

/** Endpoints to choose from. */
type Endpoints = { endpoints: readonly Endpoint[] }

/** Form fields of a changelog entry, for new and existing drafts. */
function ChangeFields({ text: { kind, title, body, endpointIds }, endpoints }: Endpoints & { text: Text }) {
  const choices = Object.entries(changeKinds).map(([value, label]) => ({ value, label }))
  return (
    <>
      <RadioGroup name="kind" legend="Kind" chosen={[kind]} choices={choices} />
      <TextField name="title" label="Title" defaultValue={title} hint="One line. Put API names in backticks." />
      <TextAreaField name="body" label="Text" rows={8} defaultValue={body} hint="Markdown: paragraphs, lists, links and code in backticks." />
      <EndpointPicker name="endpointIds" legend="Endpoints" hint="Select the endpoints that this entry is about." endpoints={endpoints} chosen={endpointIds} />
    </>
  )
}

export function NewChange({ endpoints }: Endpoints) {
  return (
    <div className="max-w-152">
      <Heading title="New entry" />
      <ActionForm
        mutation={useTRPC().admin.changelog.begin.mutationOptions()}
        name="new"
        kind="primary"
        button="Save and preview"
        reason={reason}
        done={({ id }) => goTo(`${list}/${id}`)}
      >
        <ChangeFields text={{ kind: 'added', title: '', body: '', endpointIds: [] }} endpoints={endpoints} />
      </ActionForm>
    </div>
  )
}

/** Previews a draft as it will appear on the changelog page and in the email, with forms to publish, edit and discard it. `today` is its publication date. */
export function ChangeDraft({ id, today, endpoints }: Endpoints & { id: string; today: Date }) {
  const { changelog } = useTRPC().admin
  const { data } = useSuspenseQuery(changelog.read.queryOptions({ id }))
  const { draft, message, recipientCount } = data
  return (
    <>
      <Heading title="Draft entry" back={{ href: list, name: 'Changelog' }} />
      <Section id="page" title="Page preview">
        <Suspense>
          <ChangelogList entries={[{ ...draft, publishedAt: today }]} isFiltered={false} />
        </Suspense>
      </Section>
      <Section id="mail" title="Email preview">
        <EmailPreview message={message} />
      </Section>
      <DraftForms
        draft={draft}
        list={list}
        publish={changelog.publish.mutationOptions()}
        rewrite={changelog.rewrite.mutationOptions()}
        discard={changelog.discard.mutationOptions()}
        publishing={{
          button: `Publish and email ${accountCount(recipientCount)}`,
          lead: 'Published to the page and the feed immediately. You can’t change it afterwards.',
        }}
        fields={<ChangeFields text={draft} endpoints={endpoints} />}
      />
    </>
  )
}
