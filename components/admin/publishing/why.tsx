import { TextField } from '#components/forms/field.tsx'

/** Why something is done, which every change at the desk says. */
export const Why = () => <TextField name="reason" label="Why" hint="It stands in the audit log. Accounts do not see it." />
