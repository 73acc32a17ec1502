import { llmsText } from '#server/api/documents/site/site-documents.ts'
import { siteData } from '#server/pages/site-data.ts'

export const dynamic = 'force-dynamic'

export async function GET(): Promise<Response> {
  return new Response(llmsText(await siteData()), { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}
