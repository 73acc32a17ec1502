import { dayMs, isoDay, parseDay } from '#server/api/contract/dates.ts'
import type { Page, PageRequest } from '#server/api/contract/endpoint.ts'
import { missing, RefusedError, refuse } from '#server/api/contract/errors.ts'
import { type UsageFilter, type UsageRow, usageDays } from '#server/api/contract/own-account.ts'
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Database } from '#server/db/prisma.ts'
import { type Operations, operationName } from './log-filter.ts'
import { readUsageRange } from './usage-range.ts'

/** Caller of `/usage`. `seesAllKeys` is false if the caller may only see the usage of the calling key. */
export type UsageCaller = { readonly accountId: number; readonly keyId: number; readonly keyPublicId: string; readonly seesAllKeys: boolean }

/** Returns the range, with defaults for what is missing. @throws RefusedError (400) if it is invalid or too long */
function readRange({ from, to }: UsageFilter): { from: Date; to: Date } {
  const last = to ?? isoDay(clock.now())
  const first = from ?? isoDay((parseDay(last)?.getTime() ?? 0) - (usageDays.usual - 1) * dayMs)
  return readUsageRange({ from: first, to: last }, 'day', usageDays.most)
}

/** Returns the internal id of the key to list; null for all keys. @throws RefusedError */
async function readKeyId(db: Database, { accountId, keyId, keyPublicId, seesAllKeys }: UsageCaller, key: string | undefined): Promise<number | null> {
  if (key === keyPublicId || (key === undefined && !seesAllKeys)) return keyId
  if (key === undefined) return null
  if (!seesAllKeys) {
    const message = 'This key can only read its own usage. Omit "key", or add the scope account:manage to the key in the portal.'
    throw new RefusedError(refuse('insufficient_scope', { required: 'account:manage' }, message))
  }
  const found = await db.apiKey.findFirst({ where: { accountId, publicId: key }, select: { id: true } })
  if (!found) throw missing('key', key)
  return found.id
}

type Place = { readonly day: Date; readonly keyId: number; readonly endpoint: number; readonly status: number }

/** Formats the position of a row as a cursor key. */
const toCursorKey = ({ day, keyId, endpoint, status }: Place): string => [isoDay(day), keyId, endpoint, status].join(' ')

/** Returns the condition for rows after a position, in the order of the list. */
function isAfter(cursorKey: string): Prisma.UsageDayWhereInput {
  const [text = '', ...numbers] = cursorKey.split(' ')
  const [keyId = 0, endpoint = 0, status = 0] = numbers.map(Number)
  const day = new Date(text)
  return {
    OR: [{ day: { gt: day } }, { day, keyId: { gt: keyId } }, { day, keyId, endpoint: { gt: endpoint } }, { day, keyId, endpoint, status: { gt: status } }],
  }
}

/** Returns a page of the account's daily totals, oldest first: the rows of the CSV file in the portal. */
export async function listUsageRows(
  db: Database,
  caller: UsageCaller,
  filter: UsageFilter,
  { limit, after }: PageRequest,
  operations: Operations,
): Promise<Page<UsageRow>> {
  const { from, to } = readRange(filter)
  const keyId = await readKeyId(db, caller, filter.key)
  const where: Prisma.UsageDayWhereInput = {
    accountId: caller.accountId,
    day: { gte: from, lt: to },
    ...(keyId === null ? {} : { keyId }),
    AND: after === null ? [] : [isAfter(after)],
  }
  const orderBy = [{ day: 'asc' }, { keyId: 'asc' }, { endpoint: 'asc' }, { status: 'asc' }] as const
  const found = await db.usageDay.findMany({ where, orderBy: [...orderBy], take: limit + 1 })
  const shown = found.slice(0, limit)
  const keyIds = [...new Set(shown.map((row) => row.keyId))]
  const keys = await db.apiKey.findMany({ where: { id: { in: keyIds } }, take: limit, select: { id: true, publicId: true, name: true, mode: true } })
  const byId = new Map(keys.map((key) => [key.id, key]))
  const rows = shown.map(({ day, endpoint, status, requests, credits, ...row }) => {
    const key = byId.get(row.keyId)
    return {
      day: isoDay(day),
      key: key?.publicId ?? '',
      keyName: key?.name ?? '',
      mode: key?.mode ?? 'test',
      endpoint: operationName(operations, endpoint),
      status,
      calls: Number(requests),
      credits: Number(credits),
    }
  })
  return { rows, more: found.length > limit, keys: shown.map(toCursorKey) }
}
