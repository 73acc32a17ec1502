import { nextService } from '#server/runtime/next-service.ts'

/** Streams text lazily: the next piece is produced once the reader has taken the last one. Stops when the reader disconnects. */
export function textStream(pieces: AsyncIterator<string>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: async () => {
      await pieces.return?.()
    },
  })
}

type Service = Awaited<ReturnType<typeof nextService>>

type Context = { params: Promise<{ dataset: string; file: string }> }

// These images are generated, but contain imported names: a script in a name must not run if the image is opened directly.
const headers = {
  'Content-Type': 'image/svg+xml',
  'Cache-Control': 'public, max-age=86400',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
}

/** Creates a route `/…/<dataset>/<name>.svg` that serves generated images, or 404 with `missing`. */
export function svgRoute(draw: (service: Service, dataset: string, name: string) => string | null, missing: string) {
  return async (_request: Request, { params }: Context): Promise<Response> => {
    const { dataset, file } = await params
    const svg = file.endsWith('.svg') ? draw(await nextService(), dataset, file.slice(0, -'.svg'.length)) : null
    return svg === null ? new Response(missing, { status: 404 }) : new Response(svg, { headers })
  }
}
