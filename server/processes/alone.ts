import type { Env } from '../env.ts'
import type { Log } from '../log.ts'
import { releaseHere } from '../release.ts'
import { onEndSignals, stopWithinMs } from './end-signals.ts'
import { withDatabase } from './own-database.ts'
import { leave, publicDoor, serve } from './serve.ts'

/** A reload, as systemd asks for one, finds nothing to replace here and must not end the service; a terminal that closes ends what was started in it. */
function onHangUp(log: Log): void {
  process.on('SIGHUP', () => {
    if (process.stdin.isTTY) process.kill(process.pid, 'SIGTERM')
    else log.warn('SIGHUP replaces processes where GATEWAY_PROCESSES is 2 or more. This service is one process and goes on: restart it to take a new release.')
  })
}

/** Runs everything that the roles name in this process, until it is told to end. */
export async function runAlone(env: Env, log: Log): Promise<void> {
  // Before anybody is told that it serves, and might ask for a reload at once.
  onHangUp(log)
  const running = await withDatabase(env, log, async (database, { isRenewed }) => {
    const started = await serve(env, log, database, publicDoor(env, log))
    log.info({ port: started.port, roles: [...env.roles], release: await releaseHere() }, 'Serving.')
    if (database.isEmbedded) (await import('../demo.ts')).announce(env, isRenewed)
    return started
  })
  onEndSignals((hurry) => leave(running, log, { drainMs: env.drainSeconds * 1_000, lingerMs: 0, withinMs: stopWithinMs }, hurry), log)
}
