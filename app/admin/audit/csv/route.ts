import { readAuditView } from '#components/admin/audit-view.ts'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin-caller.ts'
import { textStream } from '#server/pages/text-stream.ts'

/** The lines of the log that a page would show, all of them, as a file. It is written as it is read, so its length is no matter. */
export async function GET(request: Request): Promise<Response> {
  if (await lacksAdminAccess()) return new Response(null, { status: 404, headers: { 'cache-control': 'no-store' } })
  const view = readAuditView(Object.fromEntries(new URL(request.url).searchParams))
  const pieces = await (await adminCaller()).admin.audit.export(view)
  const headers = {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'cache-control': 'private, no-store',
    'content-disposition': 'attachment; filename="audit.csv"',
  }
  return new Response(textStream(pieces), { headers })
}
