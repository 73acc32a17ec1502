import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller, Fixture, TestAccount } from './fixture.ts'

/** Simulates changes by operators and administrators. Each change increments the same version as the real code does. */

export async function configChanged(fixture: Fixture): Promise<void> {
  await fixture.sql('UPDATE service_state SET version = version + 1')
}

export async function marketChanged(fixture: Fixture): Promise<void> {
  await fixture.sql('UPDATE service_state SET version = version + 1, market_version = market_version + 1')
}

export async function keyChanged(fixture: Fixture, keyId: string): Promise<void> {
  await fixture.sql('UPDATE key_meter m SET version = m.version + 1 FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1', [keyId])
}

/** Runs `use` while a Data Licence version is published that no account has accepted. */
export async function withNewLicence(fixture: Fixture, graceEndsInSeconds: number, use: () => Promise<void>): Promise<void> {
  await fixture.sql(
    `INSERT INTO licence_version (label, published_at, grace_ends_at) VALUES ('v2099-01', now() - interval '1 hour', now() + make_interval(secs => $1))`,
    [graceEndsInSeconds],
  )
  await configChanged(fixture)
  try {
    await use()
  } finally {
    await fixture.sql(`DELETE FROM licence_version WHERE label = 'v2099-01'`)
    await configChanged(fixture)
  }
}

const minuteMs = 60_000

const minuteNow = () => Math.floor(Date.now() / minuteMs)

/** Waits for the next minute if the current one ends within `seconds`. */
async function waitForRoom(seconds: number): Promise<void> {
  const left = minuteMs - (Date.now() % minuteMs)
  if (left < seconds * 1_000) await sleep(left + 50)
}

/**
 * Runs a test that counts requests within one UTC minute. Waits until enough of the minute is left, and repeats the test if a slow machine still crosses into
 * the next minute.
 */
export function inOneMinute(body: () => Promise<void>, seconds = 5): () => Promise<void> {
  return async () => {
    for (let attempt = 1; attempt <= 3; attempt++) {
      await waitForRoom(seconds)
      const minute = minuteNow()
      try {
        return await body()
      } catch (error) {
        if (minuteNow() === minute || attempt === 3) throw error
      }
    }
  }
}

export const secondsLeftInMinute = (): number => Math.ceil((minuteMs - (Date.now() % minuteMs)) / 1_000)

export const secondsLeftInDay = (): number => Math.ceil((86_400_000 - (Date.now() % 86_400_000)) / 1_000)

/** Sets the number of requests that the key has made in the current UTC minute. */
export async function setMinuteUsed(fixture: Fixture, keyId: string, used: number): Promise<void> {
  await fixture.sql(
    `UPDATE key_meter m SET minute = floor(extract(epoch FROM now()) / 60), minute_used = $2
     FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1`,
    [keyId, used],
  )
}

/** Sets the number of live requests that the account has made on a UTC day: today, or the given number of days ago. */
export async function setDayUsed(fixture: Fixture, account: TestAccount, used: number, daysAgo = 0): Promise<void> {
  await fixture.sql(`UPDATE wallet SET day = floor(extract(epoch FROM now()) / 86400) - $3::int, day_seen = 0, day_used = $2 WHERE account_id = $1`, [
    account.id,
    used,
    daysAgo,
  ])
}

export async function minuteUsed(fixture: Fixture, { keyId }: Caller): Promise<number> {
  const [row] = await fixture.sql<{ minute_used: number }>('SELECT m.minute_used FROM key_meter m JOIN api_key k ON k.id = m.key_id WHERE k.public_id = $1', [
    keyId,
  ])
  return row?.minute_used ?? -1
}
