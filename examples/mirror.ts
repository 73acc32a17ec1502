/**
 * Keeps a copy of the market in a folder: products, providers and switch offers, each in one JSON file.
 *
 *   SVC_API_KEY=svc_live_… node examples/mirror.ts FOLDER
 *
 * The first run downloads a snapshot of each list. Later runs read only what has changed, so run it as often as you need. SVC_API_URL is the URL of the API,
 * by default http://localhost:3000/v1.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const api = process.env['SVC_API_URL'] ?? 'http://localhost:3000/v1'

type Row = Readonly<Record<string, unknown>> & { readonly withdrawnAt?: string | null }

/** Copy of a list: the time up to which it has every change, and its rows by key. */
type Copy = { readonly updatedUntil: string; readonly rows: Readonly<Record<string, Row>> }

/** Lists, and the field that identifies a row. */
const lists = { rates: 'sourceKey', providers: 'slug', 'switch-offers': 'offerKey' } as const

type List = keyof typeof lists

const maxAttempts = 5
const timeoutMs = 60_000

/** Total credits charged in this run. */
let spent = 0

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Makes a call. Repeats it if the service fails or a limit is reached; the idempotency key ensures that it is charged only once. */
async function call(path: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${process.env['SVC_API_KEY']}`, 'Idempotency-Key': crypto.randomUUID() }
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(api + path, { headers, signal: AbortSignal.timeout(timeoutMs) })
    const isTemporary = response.status === 429 || response.status >= 500
    if (!isTemporary || attempt === maxAttempts) {
      spent += Number(response.headers.get('X-SVC-Credits-Charged') ?? 0)
      return response
    }
    await pause(Number(response.headers.get('Retry-After') ?? attempt) * 1_000)
  }
}

async function expectOk(response: Response): Promise<Response> {
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return response
}

/** Downloads the whole list as it was this morning. */
async function download(list: List): Promise<Copy> {
  const response = await expectOk(await call(`/snapshots/${list}`))
  const rows: Record<string, Row> = {}
  for (const line of (await response.text()).split('\n')) {
    if (line === '') continue
    const row = JSON.parse(line) as Row
    rows[String(row[lists[list]])] = row
  }
  const expected = Number(response.headers.get('X-SVC-Rows'))
  if (Object.keys(rows).length !== expected) throw new Error(`The snapshot of ${list} is incomplete. Run the program again.`)
  return { updatedUntil: response.headers.get('X-SVC-Updated-Until') ?? '', rows }
}

/** Reads what has changed since the copy was made. Returns null if the copy is too old to be updated. */
async function update(list: List, copy: Copy): Promise<Copy | null> {
  const rows = { ...copy.rows }
  for (let cursor: string | null = null; ; ) {
    const query = new URLSearchParams({ updatedSince: copy.updatedUntil, withdrawn: 'include', limit: '50', ...(cursor && { cursor }) })
    const response = await call(`/${list}?${query}`)
    if (response.status === 400) return null
    const { data, meta } = (await (await expectOk(response)).json()) as { data: Row[]; meta: { nextCursor: string | null; updatedUntil: string } }
    for (const row of data) {
      const key = String(row[lists[list]])
      if (row.withdrawnAt) delete rows[key]
      else rows[key] = row
    }
    cursor = meta.nextCursor
    if (cursor === null) return { updatedUntil: meta.updatedUntil, rows }
  }
}

async function readCopy(file: string): Promise<Copy | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Copy
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Writes the copy to a new file and then renames it, so that a run that is interrupted leaves the previous copy. */
async function writeCopy(file: string, copy: Copy): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(copy))
  await rename(`${file}.new`, file)
}

const [folder] = process.argv.slice(2)
if (folder === undefined || process.env['SVC_API_KEY'] === undefined) throw new Error('Usage: SVC_API_KEY=svc_live_… node examples/mirror.ts FOLDER')
await mkdir(folder, { recursive: true })
for (const list of Object.keys(lists) as List[]) {
  const file = join(folder, `${list}.json`)
  const before = await readCopy(file)
  const copy = (before && (await update(list, before))) ?? (await download(list))
  await writeCopy(file, copy)
  console.log(`${list}: ${Object.keys(copy.rows).length} rows, up to date until ${copy.updatedUntil}`)
}
console.log(`${spent} credits`)
