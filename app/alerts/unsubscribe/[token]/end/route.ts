import { nextService } from '#server/runtime/next-service.ts'

type Context = { params: Promise<{ token: string }> }

const toPage = async ({ params }: Context): Promise<Response> =>
  new Response(null, { status: 303, headers: { Location: `/alerts/unsubscribe/${encodeURIComponent((await params).token)}` } })

/** Changes nothing, because mail software opens links. Leads to the page with the button. */
export const GET = (_request: Request, context: Context): Promise<Response> => toPage(context)

/** Stops the emails. Mail software sends this request from anywhere (RFC 8058), so its origin isn't checked; the signed token is the proof. */
export async function POST(_request: Request, context: Context): Promise<Response> {
  await (await nextService()).alertSubscriptions.end((await context.params).token)
  return toPage(context)
}
