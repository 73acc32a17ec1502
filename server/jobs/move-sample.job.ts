import { moveSample, nextSampleMove } from '#server/market/sample-week/move-sample.ts'
import type { Log } from '#server/observability/log.ts'
import type { Job } from './runner.ts'

/** Changes the sample market to that of each day, at midnight UTC. A process that was down at that time does it when it starts. */
export const moveSampleJob = (log: Log): Job => ({
  name: 'market.move-sample',
  everyMinutes: 60,
  run: (pool) => moveSample(pool, { log }),
  nextAt: nextSampleMove,
})
