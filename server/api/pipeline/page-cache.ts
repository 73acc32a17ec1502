import { clock } from '#server/clock.ts'
import type { BuiltPage } from './built-page.ts'

/** How long a built page is shared, and how many are kept: by number, and by what they weigh together. */
const sharedForMs = 60_000
const mostKept = 5_000
const mostBytes = 64 * 1_048_576

/** Roughly what a page takes of the memory: its rows are held as one text and one by one. */
const weightOf = ({ dataBytes, rows }: BuiltPage) => dataBytes * (rows === null ? 1 : 2) + 1_000

/** Whether a page may still be handed out: young enough, and built from the present version of the shared facts. */
export function isCurrent(page: BuiltPage | undefined, version: number): page is BuiltPage {
  if (page === undefined || page.version !== version) return false
  const ageMs = clock.now() - page.builtAt
  // A page from times to come was built before the clock was set back: nobody knows how old it is.
  return ageMs >= 0 && ageMs < sharedForMs
}

/**
 * Built pages by what they show. Callers who ask for the same page while it is being built wait for the one building. Others hold a page for
 * long within bounds only (`PaidPages`), or the bounds here would bound nothing.
 */
export class PageCache {
  private readonly pages = new Map<string, BuiltPage>()
  private readonly building = new Map<string, Promise<BuiltPage>>()
  private bytes = 0

  /** The page, and whether it was built for this caller. A page that cannot be built is not kept. */
  async get(key: string, version: number, build: () => Promise<BuiltPage>): Promise<{ page: BuiltPage; isNew: boolean }> {
    const known = this.pages.get(key)
    if (isCurrent(known, version)) return { page: known, isNew: false }
    const buildKey = `${version} ${key}`
    const underWay = this.building.get(buildKey)
    if (underWay) return { page: await underWay, isNew: false }
    const promise = build().finally(() => this.building.delete(buildKey))
    this.building.set(buildKey, promise)
    const page = await promise
    this.keep(key, page)
    return { page, isNew: true }
  }

  private keep(key: string, page: BuiltPage): void {
    this.drop(key)
    this.pages.set(key, page)
    this.bytes += weightOf(page)
    // The oldest stand first.
    for (const [oldest, { builtAt }] of this.pages) {
      const isOld = clock.now() - builtAt >= sharedForMs
      if (!isOld && this.pages.size <= mostKept && this.bytes <= mostBytes) return
      this.drop(oldest)
    }
  }

  private drop(key: string): void {
    const page = this.pages.get(key)
    if (page === undefined) return
    this.pages.delete(key)
    this.bytes -= weightOf(page)
  }
}
