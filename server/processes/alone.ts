import type { Env } from '../env.ts'
import type { Log } from '../log.ts'
import { onEndSignals, stopWithinMs } from './end-signals.ts'
import { withDatabase } from './own-database.ts'
import { leave, publicDoor, serve } from './serve.ts'

/** Runs everything that the roles name in this process, until it is told to end. */
export async function runAlone(env: Env, log: Log): Promise<void> {
  const running = await withDatabase(env, log, async (database, { isRenewed }) => {
    const started = await serve(env, log, database, publicDoor(env, log))
    log.info({ port: started.port, roles: [...env.roles] }, 'Serving.')
    if (database.isEmbedded) (await import('../demo.ts')).announce(env, isRenewed)
    return started
  })
  onEndSignals((hurry) => leave(running, log, { drainMs: env.drainSeconds * 1_000, lingerMs: 0, withinMs: stopWithinMs }, hurry), log)
}
