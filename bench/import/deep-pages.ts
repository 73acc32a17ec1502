import { median } from '../figures.ts'
import type { Side } from './read-rounds.ts'

/** Median milliseconds for a page at the start and at the end of a pagination through /history. `rowsBefore`: number of rows before the last page. */
export type DeepPages = { readonly rowsBefore: number; readonly firstMs: number | null; readonly deepMs: number | null }

/** Number of pages at the start and at the end whose median is reported. */
const reportedPages = 50

type Page = { data: unknown[]; meta: { nextCursor: string | null } }

/** Paginates through /history, newest first, as callers do: each page with the cursor of the previous one. No page is cached. */
export async function measureDeepPages({ running, keys }: Side, pages: number, signal: AbortSignal): Promise<DeepPages> {
  const headers = { authorization: `Bearer ${keys[0] ?? ''}` }
  const took: number[] = []
  let rows = 0
  let cursor: string | null = ''
  for (let page = 0; page < pages && cursor !== null; page++) {
    const from = performance.now()
    const answer = await fetch(`http://127.0.0.1:${running.ports[0] ?? 0}/v1/history?limit=50${cursor && `&cursor=${cursor}`}`, { headers, signal })
    const body = (await answer.json()) as Page
    if (answer.status !== 200) throw new Error(`A page after ${rows} rows returned ${answer.status}.`)
    took.push(performance.now() - from)
    rows += body.data.length
    cursor = body.meta.nextCursor
  }
  return { rowsBefore: Math.max(0, rows - 50), firstMs: median(took.slice(0, reportedPages)), deepMs: median(took.slice(-reportedPages)) }
}
