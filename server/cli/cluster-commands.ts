import { withClient } from '#server/db/migrations.sql.ts'
import { type SvcCommand, wholeNumber } from './context.ts'
import { distribute } from './distribute.ts'

const defaultShards = 32
const maxShards = 1_024
const defaultPauseSeconds = 30
const maxPauseSeconds = 3_600

export function addClusterCommands(program: SvcCommand): void {
  program
    .sub('cluster', 'manage a Citus cluster (preview: see docs/scaling.md for what does not work on it yet)')
    .sub('distribute', 'distribute the charging tables across the workers, by account, while the service is running; safe to repeat')
    .option('--shards <n>', 'number of shards: at least as many as the workers you will ever have', wholeNumber(1, maxShards), defaultShards)
    .option('--max-pause <seconds>', 'maximum time that calls wait or fail uncharged', wholeNumber(1, maxPauseSeconds), defaultPauseSeconds)
    .onDatabase(({ shards: wanted, maxPause }: { shards: number; maxPause: number }, { migrationUrl }) =>
      withClient(migrationUrl, 'svc-cli', async (client) => {
        const result = await distribute(client, wanted, maxPause * 1_000)
        const { shards, workers, alreadyDistributed, copiedRows, pauseMs } = result
        const line = alreadyDistributed
          ? `The tables are already distributed. Refreshed the functions on ${shards} shards.`
          : `Distributed the charging tables across ${workers} workers: ${shards} shards. Copied ${copiedRows} request log rows in advance. Calls waited for ${pauseMs} ms.`
        return { result, lines: [line] }
      }),
    )
}
