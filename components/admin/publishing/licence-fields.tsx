import { TextAreaField, TextField } from '#components/forms/field.tsx'

/** What is written of a version of the Data Licence. */
export type LicenceText = { readonly label: string; readonly changes: string; readonly body: string; readonly graceEndsOn: string }

/** The fields of a version: the same for a new draft and for one that is rewritten. */
export function LicenceFields({ text }: { text: LicenceText }) {
  return (
    <>
      <TextField name="label" label="Version" size="short" defaultValue={text.label} hint="Year and month, such as v2027-01." />
      <TextAreaField
        name="changes"
        label="What changed"
        rows={4}
        defaultValue={text.changes}
        hint="Shown where the version is accepted, in the changelog and in the mail."
      />
      <TextField
        name="graceEndsOn"
        label="Grace ends"
        type="date"
        size="short"
        defaultValue={text.graceEndsOn}
        hint="With the beginning of this day in UTC. From then on calls are refused to whoever has not accepted."
      />
      <TextAreaField name="body" label="Text" rows={16} defaultValue={text.body} hint="Markdown, without the title." />
    </>
  )
}
