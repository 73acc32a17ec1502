import { changelogFeed } from '#server/api/documents/atom-feed.ts'
import { nextService } from '#server/runtime/next-service.ts'

export const dynamic = 'force-dynamic'

export async function GET(): Promise<Response> {
  const { changelog, publicUrl } = await nextService()
  const feed = changelogFeed(await changelog(), publicUrl, new Date())
  return new Response(feed, { headers: { 'Content-Type': 'application/atom+xml; charset=utf-8', 'Cache-Control': 'public, max-age=300' } })
}
