import { readAuditView } from '#components/admin/views.ts'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'
import { textStream } from '#server/pages/file-responses.ts'

/** Streams all audit log entries that match the filters as CSV, so the size of the export is not limited by memory. */
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
