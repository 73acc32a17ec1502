import { nextService } from '#server/runtime/next-service.ts'

type Context = { params: Promise<{ token: string }> }

const toPage = async ({ params }: Context): Promise<Response> =>
  new Response(null, { status: 303, headers: { Location: `/alerts/unsubscribe/${encodeURIComponent((await params).token)}` } })

/** Changes nothing, because email clients may open links automatically. Redirects to the page with the button. */
export const GET = (_request: Request, context: Context): Promise<Response> => toPage(context)

/** Stops the emails. Email clients send this request from any origin (RFC 8058), so the origin isn't checked. The signed token authorises the request. */
export async function POST(_request: Request, context: Context): Promise<Response> {
  await (await nextService()).alertSubscriptions.end((await context.params).token)
  return toPage(context)
}
