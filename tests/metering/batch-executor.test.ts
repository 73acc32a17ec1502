import { afterAll, beforeAll, expect, test } from 'vitest'
import { AdmissionConnection } from '#server/metering/admission-connection.sql.ts'
import type { AdmissionRequest } from '#server/metering/batch.ts'
import { BatchExecutor } from '#server/metering/batch-executor.ts'
import { createLog } from '#server/observability/log.ts'
import { buildRequest, makePayer, meteringDatabase, type Payer, readCounters, readLog, serviceVersion, toVerdicts } from './statement.ts'

const db = meteringDatabase()
const asked: string[] = []
let connections: readonly [AdmissionConnection, AdmissionConnection]
let version = 0

/** Connection that records the name of each statement. */
class RecordingConnection extends AdmissionConnection {
  override run(name: string, text: string, values: string[]) {
    asked.push(name)
    return super.run(name, text, values)
  }
}

beforeAll(async () => {
  const openConnection = (isPooled: boolean) => new RecordingConnection(db.url, createLog('silent'), () => undefined, { isPooled })
  connections = [openConnection(false), openConnection(true)]
  await Promise.all(connections.map((connection) => connection.open()))
  version = await serviceVersion(db.pool)
})
afterAll(() => Promise.all(connections.map((connection) => connection.close())))

async function put(executor: BatchExecutor, payer: Payer, { isPooled = false, ...changes }: Partial<AdmissionRequest> & { isPooled?: boolean } = {}) {
  asked.length = 0
  const { read } = await executor.execute(connections[isPooled ? 1 : 0], [{ ...buildRequest(payer, changes), serviceVersion: version }])
  return { verdicts: toVerdicts(read()), asked: [...asked] }
}

test.each([
  ['directly', false],
  ['behind a pooler', true],
])('when connected %s, admits a batch as a whole unless it has a rejected call, an idempotency key or the first call of a day', async (_, isPooled) => {
  const payer = await makePayer(db.pool, { credits: 3 })
  expect(await put(new BatchExecutor(isPooled), payer, { isPooled })).toEqual({ verdicts: [0], asked: ['admit_whole', 'admit'] })
  const executor = new BatchExecutor(isPooled)
  expect(await put(executor, payer, { isPooled })).toEqual({ verdicts: [0], asked: ['admit_whole'] })
  expect(await put(executor, payer, { isPooled, idempotency: { key: 'k', request: 'aa' } })).toEqual({ verdicts: [0], asked: ['admit'] })
  expect(await put(executor, payer, { isPooled })).toEqual({ verdicts: [5], asked: ['admit_whole', 'admit'] })
  expect(await readCounters(db.pool, payer)).toMatchObject({ balance: 0 })
  expect((await readLog(db.pool, payer)).map(({ status }) => status)).toEqual([200, 200, 200, 402])
})

test('while a caller keeps being rejected, tries `admit_whole` for only one batch in 17', async () => {
  const payer = await makePayer(db.pool, { credits: 0 })
  const executor = new BatchExecutor(false)
  const rounds: string[][] = []
  for (let round = 0; round < 35; round++) rounds.push((await put(executor, payer)).asked)
  expect(rounds.flatMap((one, at) => (one.length === 2 ? [at] : []))).toEqual([0, 17, 34])
})
