import { nextService } from '#server/runtime/next-service.ts'

type Service = Awaited<ReturnType<typeof nextService>>

type Context = { params: Promise<{ dataset: string; file: string }> }

// Drawn by us, but from names that an operator imports: whatever got into one must not run where the picture is opened by itself.
const headers = {
  'Content-Type': 'image/svg+xml',
  'Cache-Control': 'public, max-age=86400',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
}

/** A route `/…/<dataset>/<name>.svg` that answers what the service draws, and 404 with `missing` when there is nothing to draw. */
export function drawingRoute(draw: (service: Service, dataset: string, name: string) => string | null, missing: string) {
  return async (_request: Request, { params }: Context): Promise<Response> => {
    const { dataset, file } = await params
    const svg = file.endsWith('.svg') ? draw(await nextService(), dataset, file.slice(0, -'.svg'.length)) : null
    return svg === null ? new Response(missing, { status: 404 }) : new Response(svg, { headers })
  }
}
