import { resourceMetadata } from '#server/api/contract/oauth.ts'
import { currentAuthContext } from '#server/auth/current-request.ts'

export const dynamic = 'force-dynamic'

export async function GET(): Promise<Response> {
  const { publicUrl } = await currentAuthContext()
  return Response.json(resourceMetadata(publicUrl), { headers: { 'Cache-Control': 'public, max-age=3600', 'Access-Control-Allow-Origin': '*' } })
}
