import { TextField } from '#components/forms/field.tsx'

/** Field for the reason, required for every admin action. */
export const ReasonField = () => <TextField name="reason" label="Why" hint="Recorded in the audit log. Not shown to customers." />
