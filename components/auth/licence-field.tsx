import { CheckboxField } from '#components/forms/field.tsx'

/** Checkbox to accept the Data Licence. Submits the version shown, as a newer one may be published before the form is sent. */
export function LicenceField({ label }: { label: string }) {
  return (
    <>
      <input type="hidden" name="licenceShown" value={label} />
      <CheckboxField name="licence">
        I accept the{' '}
        <a className="prose-link" href={`/licence/${label}`}>
          Data Licence {label}
        </a>
      </CheckboxField>
    </>
  )
}
