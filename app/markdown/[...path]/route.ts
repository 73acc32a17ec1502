import { documentAt, documentMarkdown } from '#server/api/documents/site/site-documents.ts'
import { licenceText } from '#server/pages/licence-page.tsx'
import { siteData } from '#server/pages/site-data.ts'

export const dynamic = 'force-dynamic'

type Context = { params: Promise<{ path: string[] }> }

const type = { 'Content-Type': 'text/markdown; charset=utf-8' }

/** Serves a page as Markdown. A rewrite in the Next config maps `/docs/limits.md` to this route. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { path } = await params
  const document = documentAt(`/${path.join('/')}`)
  const licence = document === null && path.length === 2 && path[0] === 'licence' ? await licenceText(path[1] ?? '') : null
  if (licence !== null) return new Response(`# ${licence.title}\n\n${licence.description}\n\n${licence.text}\n`, { headers: type })
  if (document === null) return new Response('# Page not found\n\nThe index of all pages is /llms.txt.\n', { status: 404, headers: type })
  return new Response(await documentMarkdown(document, await siteData()), { headers: type })
}
