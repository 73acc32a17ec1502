import { nextService } from '../../../../server/next-service.ts'

export const dynamic = 'force-dynamic'

type Context = { params: Promise<{ dataset: string; file: string }> }

const headers = {
  'Content-Type': 'image/svg+xml',
  'Cache-Control': 'public, max-age=86400',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
}

/** The drawn picture of a card, at the address that image fields give. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { dataset, file } = await params
  const svg = file.endsWith('.svg') ? (await nextService()).cardImage(dataset, file.slice(0, -4)) : null
  return svg === null ? new Response('There is no such card.', { status: 404 }) : new Response(svg, { headers })
}
