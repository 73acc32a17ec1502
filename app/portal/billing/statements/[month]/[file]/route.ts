import { textStream } from '#server/pages/file-responses.ts'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'
import { getCause, getCode } from '#server/trpc/portal-fault.ts'

type Context = { params: Promise<{ month: string; file: string }> }

const files = {
  'ledger.csv': { format: 'csv', type: 'text/csv; charset=utf-8' },
  'ledger.json': { format: 'json', type: 'application/json; charset=utf-8' },
} as const

const isFile = (name: string): name is keyof typeof files => Object.hasOwn(files, name)

const plain = (status: number, text: string): Response =>
  new Response(text, { status, headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' } })

/** Streams a month's statement as a file. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { month, file } = await params
  if (!isFile(file)) return plain(404, 'File not found.')
  await signedIn()
  const { format, type } = files[file]
  try {
    const pieces = await (await portalCaller()).billing.export({ month, format })
    const headers = { 'content-type': type, 'cache-control': 'private, no-store', 'content-disposition': `attachment; filename="ledger-${month}.${format}"` }
    return new Response(textStream(pieces), { headers })
  } catch (error) {
    const cause = error instanceof Error ? getCause(error) : null
    const code = cause && getCode(cause)
    if (!cause || code === null) throw error
    return plain(code === 'FORBIDDEN' ? 403 : 404, cause.message)
  }
}
