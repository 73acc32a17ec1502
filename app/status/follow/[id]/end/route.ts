import { endStatusEmails } from '#server/pages/status-emails.ts'

type Context = { params: Promise<{ id: string }> }

/** Changes nothing, because email clients may open links automatically. Redirects to the page with the button. */
export const GET = async (_request: Request, { params }: Context): Promise<Response> =>
  new Response(null, { status: 303, headers: { Location: `/status/follow/${encodeURIComponent((await params).id)}` } })

export const POST = async (_request: Request, { params }: Context): Promise<Response> => endStatusEmails((await params).id)
