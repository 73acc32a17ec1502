import { nextService } from '#server/runtime/next-service.ts'

export const dynamic = 'force-dynamic'

export async function GET(): Promise<Response> {
  const { status, body } = await (await nextService()).health.ready()
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } })
}
