import { median } from '../figures.ts'
import type { Side } from './read-rounds.ts'

/** Milliseconds for a page of /history at the start of a walk and at its end; `rowsBefore` is how deep the end lies. */
export type DeepWalk = { readonly rowsBefore: number; readonly firstMs: number | null; readonly deepMs: number | null }

/** Pages at each end whose median is told. */
const pagesTold = 50

type Page = { data: unknown[]; meta: { nextCursor: string | null } }

/** KeysetPager through /history, newest first, as callers do: each page with the cursor of the one before. Every page is one that nobody has asked for. */
export async function deepWalk({ running, keys }: Side, pages: number, signal: AbortSignal): Promise<DeepWalk> {
  const headers = { authorization: `Bearer ${keys[0] ?? ''}` }
  const took: number[] = []
  let rows = 0
  let cursor: string | null = ''
  for (let page = 0; page < pages && cursor !== null; page++) {
    const from = performance.now()
    const answer = await fetch(`http://127.0.0.1:${running.ports[0] ?? 0}/v1/history?limit=50${cursor && `&cursor=${cursor}`}`, { headers, signal })
    const body = (await answer.json()) as Page
    if (answer.status !== 200) throw new Error(`A page behind ${rows} rows was answered with ${answer.status}.`)
    took.push(performance.now() - from)
    rows += body.data.length
    cursor = body.meta.nextCursor
  }
  return { rowsBefore: Math.max(0, rows - 50), firstMs: median(took.slice(0, pagesTold)), deepMs: median(took.slice(-pagesTold)) }
}
