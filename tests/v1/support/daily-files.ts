import { storeDay } from '#server/market/daily-files/store-day.ts'
import type { Dataset } from '#server/market/product.ts'
import { loadSnapshot } from '#server/market/snapshot.ts'
import { londonDay } from '#server/market/sources/calendar.ts'
import { dailyFiles } from '#server/runtime/daily-files.ts'
import type { Fixture } from './fixture.ts'

/** Stores the current market as that of a day in the past, and returns the day. Each test file must use its own days. */
export async function storeDaysAgo(fixture: Pick<Fixture, 'pool'>, days: number, dataset: Dataset = 'live'): Promise<string> {
  const now = Date.now() - days * 86_400_000
  const day = londonDay(now)
  const files = dailyFiles({ publicUrl: 'https://api.example.test', market: () => loadSnapshot(fixture.pool) })
  await storeDay(fixture.pool, dataset, day, await files(dataset), now)
  return day
}
