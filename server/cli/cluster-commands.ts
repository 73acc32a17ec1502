import { type ClusterState, distributeCharges, readClusterState } from '#server/db/database-probes.sql.ts'
import { withClient } from '#server/db/migrations.sql.ts'
import { type SvcCommand, wholeNumber } from './context.ts'

const defaultShards = 32
const maxShards = 1_024

/** Returns why the tables can't be distributed, or null. */
function findObstacle({ isCitus, isCoordinator, workers, isDistributed, sessions }: ClusterState): string | null {
  if (!isCitus) return 'The database has no Citus. Run CREATE EXTENSION citus on every node, and add the workers with citus_add_node.'
  if (!isCoordinator) return "The database is a worker. Set DATABASE_URL to the cluster's coordinator."
  if (workers === 0) return 'The cluster has no workers. Add them with citus_add_node.'
  if (isDistributed || sessions === 0) return null
  return `The service is running (${sessions} connections). Stop it first: its processes learn at start that the database is a cluster.`
}

export function addClusterCommands(program: SvcCommand): void {
  program
    .sub('cluster', 'manage a Citus cluster (preview: see docs/scaling.md for what does not work on it yet)')
    .sub('distribute', 'distribute the tables of charges over the workers, by account; can be repeated')
    .option('--shards <n>', 'number of shards: the most workers you may ever have', wholeNumber(1, maxShards), defaultShards)
    .onDatabase(({ shards: wanted }: { shards: number }, { migrationUrl }) =>
      withClient(migrationUrl, 'svc-cli', async (client) => {
        const state = await readClusterState(client)
        const obstacle = findObstacle(state)
        if (obstacle !== null) throw new Error(obstacle)
        const shards = await distributeCharges(client, wanted)
        const { workers, isDistributed } = state
        const line = isDistributed
          ? 'The tables are already distributed. Refreshed the functions of'
          : `Distributed the tables of charges over ${workers} workers:`
        return { result: { shards, workers, alreadyDistributed: isDistributed }, lines: [`${line} ${shards} shards.`] }
      }),
    )
}
