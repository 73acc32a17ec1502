/** Child process that starts the embedded PostgreSQL in the given data directory and releases it on SIGTERM. */
import { startEmbedded } from '#server/db/embedded.ts'

const [dataDir = '', port] = process.argv.slice(2)
const say = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`)

try {
  const server = await startEmbedded({
    dataDir,
    ...(port === undefined ? {} : { port: Number(port) }),
    log: (line) => say({ log: line }),
    settings: { fsync: 'off', shared_buffers: '16MB' },
  })
  const waiting = setInterval(() => undefined, 60_000)
  process.once('SIGTERM', () => {
    clearInterval(waiting)
    server.stop().then(
      () => say({ stopped: true }),
      (error: Error) => say({ error: error.message }),
    )
  })
  say({ url: server.url })
} catch (error) {
  say({ error: error instanceof Error ? error.message : String(error), fault: error instanceof Error && 'fault' in error ? error.fault : null })
}
