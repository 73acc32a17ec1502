import { toRefusal } from '#components/forms/refusal.ts'
import { newTRPCClient } from '#components/trpc/trpc-client.ts'
import type { FieldFaults } from '#server/api/contract/field-errors.ts'

type Client = ReturnType<typeof newTRPCClient>

/** Values of a form: text by field name; `false` for a checkbox that isn't ticked. The server checks them. */
export type FormValues = Readonly<Record<string, string | false>>

/** Calls one procedure with the values of a form. */
export type ProcedureCall<Output> = (client: Client, values: never) => Promise<Output>

const client = newTRPCClient()

/** Calls a procedure. Returns its output, or the errors to show in the form. */
export async function callProcedure<Output>(call: ProcedureCall<Output>, values: FormValues): Promise<{ output: Output } | { faults: FieldFaults }> {
  try {
    return { output: await call(client, values as never) }
  } catch (error) {
    return { faults: toRefusal(error).faults }
  }
}
