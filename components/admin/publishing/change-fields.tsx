import { ChoiceField } from '#components/forms/choice-field.tsx'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { type ChangeKind, changeKinds } from '#server/api/contract/changelog.ts'

/** What an entry of the changelog says, before it is one. */
export type ChangeText = { readonly kind: ChangeKind; readonly title: string; readonly body: string; readonly endpointIds: readonly string[] }

const nothingYet: ChangeText = { kind: 'added', title: '', body: '', endpointIds: [] }

const choices = Object.entries(changeKinds).map(([value, label]) => ({ value, label }))

/** The fields of an entry: the same for a new draft and for one that is rewritten. */
export function ChangeFields({ text = nothingYet }: { text?: ChangeText }) {
  return (
    <>
      <ChoiceField kind="radio" name="kind" legend="Kind" chosen={[text.kind]} choices={choices} />
      <TextField name="title" label="Title" defaultValue={text.title} hint="One line. Names of the API stand between backticks." />
      <TextAreaField name="body" label="Text" rows={8} defaultValue={text.body} hint="Markdown: paragraphs, lists, links, names between backticks." />
      <TextAreaField
        name="endpointIds"
        label="Endpoints"
        isOptional
        defaultValue={text.endpointIds.join('\n')}
        hint="Ids of the endpoints that it is about, one a line, such as rates.list."
      />
    </>
  )
}
