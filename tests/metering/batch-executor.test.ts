import { afterAll, beforeAll, expect, test } from 'vitest'
import { AdmissionConnection } from '#server/metering/admission-connection.store.ts'
import type { AdmissionRequest } from '#server/metering/batch.ts'
import { BatchExecutor } from '#server/metering/batch-executor.ts'
import { createLog } from '#server/observability/log.ts'
import { countersOf, logOf, makePayer, meteringDatabase, type Payer, requestOf, serviceVersion, verdictsOf } from './statement.ts'

/** Which statement a batch is put to. */
const db = meteringDatabase()
const asked: string[] = []
let lanes: readonly [AdmissionConnection, AdmissionConnection]
let version = 0

class RecordingConnection extends AdmissionConnection {
  override run(name: string, text: string, values: string[]) {
    asked.push(name)
    return super.run(name, text, values)
  }
}

beforeAll(async () => {
  const laneOf = (isPooled: boolean) => new RecordingConnection(db.url, createLog('silent'), () => undefined, isPooled)
  lanes = [laneOf(false), laneOf(true)]
  await Promise.all(lanes.map((lane) => lane.open()))
  version = await serviceVersion(db.pool)
})
afterAll(() => Promise.all(lanes.map((lane) => lane.close())))

async function put(deciding: BatchExecutor, payer: Payer, { isPooled = false, ...changes }: Partial<AdmissionRequest> & { isPooled?: boolean } = {}) {
  asked.length = 0
  const { read } = await deciding.execute(lanes[isPooled ? 1 : 0], [{ ...requestOf(payer, changes), serviceVersion: version }])
  return { verdicts: verdictsOf(read()), asked: [...asked] }
}

test.each([
  ['by itself', false],
  ['behind a pooler', true],
])('%s: the first call of a day and what is refused are decided one by one, all else is granted whole', async (_, isPooled) => {
  const payer = await makePayer(db.pool, { credits: 3 })
  expect(await put(new BatchExecutor(isPooled), payer, { isPooled })).toEqual({ verdicts: [0], asked: ['admit_whole', 'admit'] })
  const deciding = new BatchExecutor(isPooled)
  expect(await put(deciding, payer, { isPooled })).toEqual({ verdicts: [0], asked: ['admit_whole'] })
  expect(await put(deciding, payer, { isPooled, idempotency: { key: 'k', request: 'aa' } })).toEqual({ verdicts: [0], asked: ['admit'] })
  expect(await put(deciding, payer, { isPooled })).toEqual({ verdicts: [5], asked: ['admit_whole', 'admit'] })
  expect(await countersOf(db.pool, payer)).toMatchObject({ balance: 0 })
  expect((await logOf(db.pool, payer)).map(({ status }) => status)).toEqual([200, 200, 200, 402])
})

test('a caller who is refused again and again has no batch asked twice but one in seventeen', async () => {
  const payer = await makePayer(db.pool, { credits: 0 })
  const deciding = new BatchExecutor(false)
  const rounds: string[][] = []
  for (let round = 0; round < 35; round++) rounds.push((await put(deciding, payer)).asked)
  expect(rounds.flatMap((one, at) => (one.length === 2 ? [at] : []))).toEqual([0, 17, 34])
})
