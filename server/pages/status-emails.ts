import { readFormField } from '#server/api/http/form-field.ts'
import { currentAsker, currentAuthContext } from '#server/auth/current-request.ts'
import { isSameOrigin } from '#server/auth/same-origin.ts'
import { confirmSubscription, endSubscription, requestSubscription } from '#server/status/subscribers.ts'

const redirectTo = (path: string): Response => new Response(null, { status: 303, headers: { Location: path } })

const page = '/status/follow'

/** Handles the form that requests status emails. */
export async function requestStatusEmails(given: Request): Promise<Response> {
  const deps = await currentAuthContext()
  if (!isSameOrigin(given.headers, deps.publicUrl)) return redirectTo(page)
  return redirectTo(`${page}?step=${await requestSubscription(deps, await currentAsker(), (await readFormField(given, 'email')) ?? '')}`)
}

/** Starts status emails, from the form that the confirmation email links to. */
export async function confirmStatusEmails(given: Request, id: string): Promise<Response> {
  const { pool, publicUrl } = await currentAuthContext()
  if (!isSameOrigin(given.headers, publicUrl)) return redirectTo(page)
  return redirectTo((await confirmSubscription(pool, id)) ? `${page}/${id}` : `${page}?step=ended`)
}

/** Ends status emails. Mail software sends this request from anywhere (RFC 8058), so its origin isn't checked; the id is the proof. */
export async function endStatusEmails(id: string): Promise<Response> {
  await endSubscription((await currentAuthContext()).pool, id)
  return redirectTo(`${page}?step=ended`)
}
