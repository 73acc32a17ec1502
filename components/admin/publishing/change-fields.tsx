import { ChoiceField } from '#components/forms/choice-field.tsx'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { type ChangeKind, changeKinds } from '#server/api/contract/changelog.ts'

/** Content of an unpublished changelog entry. */
export type ChangeText = { readonly kind: ChangeKind; readonly title: string; readonly body: string; readonly endpointIds: readonly string[] }

const empty: ChangeText = { kind: 'added', title: '', body: '', endpointIds: [] }

const choices = Object.entries(changeKinds).map(([value, label]) => ({ value, label }))

/** Form fields of a changelog entry, for new and existing drafts. */
export function ChangeFields({ text = empty }: { text?: ChangeText }) {
  return (
    <>
      <ChoiceField kind="radio" name="kind" legend="Kind" chosen={[text.kind]} choices={choices} />
      <TextField name="title" label="Title" defaultValue={text.title} hint="One line. Put API names in backticks." />
      <TextAreaField name="body" label="Text" rows={8} defaultValue={text.body} hint="Markdown: paragraphs, lists, links and code in backticks." />
      <TextAreaField
        name="endpointIds"
        label="Endpoints"
        isOptional
        defaultValue={text.endpointIds.join('\n')}
        hint="Ids of the affected endpoints, one per line, such as rates.list."
      />
    </>
  )
}
