import { TextAreaField, TextField } from '#components/forms/field.tsx'

/** Content of a version of the Data Licence. */
export type LicenceText = { readonly label: string; readonly changes: string; readonly body: string; readonly graceEndsOn: string }

/** Form fields of a licence version, for new and existing drafts. */
export function LicenceFields({ text }: { text: LicenceText }) {
  return (
    <>
      <TextField name="label" label="Version" size="short" defaultValue={text.label} hint="Year and month, such as v2027-01." />
      <TextAreaField
        name="changes"
        label="What changed"
        rows={4}
        defaultValue={text.changes}
        hint="Shown on the acceptance page, in the changelog and in the email."
      />
      <TextField
        name="graceEndsOn"
        label="Grace period ends"
        type="date"
        size="short"
        defaultValue={text.graceEndsOn}
        hint="At 00:00 UTC on this date. From then on, calls of accounts that haven’t accepted are refused."
      />
      <TextAreaField name="body" label="Text" rows={16} defaultValue={text.body} hint="Markdown, without the title." />
    </>
  )
}
