import { afterEach, expect, test } from 'vitest'
import { clock } from '../../server/clock.ts'
import { JobNotes } from '../../server/jobs/job-notes.ts'
import { readJobRuns } from '../../server/jobs/job-runs.ts'
import { createLog } from '../../server/log.ts'
import { ownDatabase } from '../support/own-database.ts'

const database = ownDatabase({ max: 2 })
const realNow = clock.now

afterEach(() => {
  clock.now = realNow
})

test('how a job goes is put down after the clock was set back by hours, too', async () => {
  const notes = new JobNotes(database.pool, createLog('silent'), { name: 'test.job', everyMs: 1_000 })
  const noted = async () => (await readJobRuns(database.pool)).find(({ name }) => name === 'test.job')?.tookMs
  await notes.begun()
  await notes.done(1)
  expect(await noted()).toBe(1)
  clock.now = () => realNow() + 40_000
  await notes.done(2)
  expect(await noted()).toBe(2)
  clock.now = () => realNow() - 7_200_000
  await notes.done(3)
  expect(await noted()).toBe(3)
  // Within the half minute: nothing new.
  await notes.done(4)
  expect(await noted()).toBe(3)
})
