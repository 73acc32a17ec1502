import { documentAt, documentMarkdown } from '../../../server/publish/site/site-documents.ts'
import { siteFacts } from '../../site-facts.ts'

export const dynamic = 'force-dynamic'

type Context = { params: Promise<{ path: string[] }> }

const type = { 'Content-Type': 'text/markdown; charset=utf-8' }

/** A page as Markdown. `/docs/limits.md` is led here by the configuration of Next. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const document = documentAt(`/${(await params).path.join('/')}`)
  if (document === null) return new Response('# Page not found\n\nThe index of all pages is /llms.txt.\n', { status: 404, headers: type })
  return new Response(await documentMarkdown(document, await siteFacts()), { headers: type })
}
