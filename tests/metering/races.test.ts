import { expect } from 'vitest'
import { startCitusCluster } from '../chaos/citus-cluster.ts'
import { Fleet } from '../chaos/fleet.ts'
import { startOwnServer } from '../chaos/own-server.ts'
import { playRound } from '../chaos/round.ts'
import { verifies } from '../requirements/verifies.ts'
import { getClusterUrl } from '../support/citus.ts'

/** Short version of `npm run chaos`: tests/chaos/audit.ts compares every response with the ledger, limits, caps and Idempotency-Keys. */
verifies(
  'spending/spend-cap-exact-under-load',
  'keeps ledger, caps and limits exact with 40 clients on four processes, a killed process and two PostgreSQL outages',
  async () => {
    await using server = getClusterUrl() === undefined ? await startOwnServer() : await startCitusCluster()
    await using fleet = await Fleet.start(server.url, 4)
    const report = await playRound({
      server,
      fleet,
      clients: 40,
      pauseMs: 60,
      calmMs: 1_500,
      disasters: ['kill -9 of a process', 'immediate shutdown of PostgreSQL', 'kill -9 of PostgreSQL'],
    })
    expect(report.faults.slice(0, 20)).toEqual([])
    expect(await server.deadlocks()).toBe(0)
    // Unless enough calls were served, charged and lost, the test proves little.
    expect(report.telemetry.answered).toBeGreaterThan(1_000)
    expect(report.charged).toBeGreaterThan(500)
    expect(report.telemetry.failed + report.telemetry.broken).toBeGreaterThan(10)
    expect(report.recoveries.map(({ firstMs }) => firstMs < 15_000)).toEqual([true, true, true])
  },
  getClusterUrl() === undefined ? 180_000 : 600_000,
)
