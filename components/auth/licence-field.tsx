import { CheckboxField } from '#components/forms/field.tsx'

/** Accepts the version of the Data Licence that is shown, and says which one that is: another may come out before the form is sent. */
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
