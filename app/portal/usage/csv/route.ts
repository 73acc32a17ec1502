import { toStatusFilter } from '#components/portal/usage-view.ts'
import { textStream } from '#server/pages/file-responses.ts'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'
import { getCause, getCode } from '#server/trpc/portal-fault.ts'

const plain = (status: number, text: string): Response =>
  new Response(text, { status, headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' } })

/** Streams the usage in a date range as CSV. */
export async function GET(request: Request): Promise<Response> {
  await signedIn()
  const given = new URL(request.url).searchParams
  const [from, to] = [given.get('from') ?? '', given.get('to') ?? '']
  try {
    const pieces = await (await portalCaller()).usage.export({
      from,
      to,
      key: given.get('key'),
      endpoint: given.get('endpoint'),
      status: toStatusFilter(given.get('status')),
    })
    const headers = {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'cache-control': 'private, no-store',
      'content-disposition': `attachment; filename="usage-${from}-to-${to}.csv"`,
    }
    return new Response(textStream(pieces), { headers })
  } catch (error) {
    const cause = error instanceof Error ? getCause(error) : null
    const code = cause && getCode(cause)
    if (!cause || code === null) throw error
    return plain(code === 'FORBIDDEN' ? 403 : 400, cause.message)
  }
}
