/** Everything that a chaos run can break: four processes, their database or cluster and its proxy, their disks and clocks, and their Stripe server. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { webhookSecret } from '../billing/support/stripe-objects.ts'
import { StripeServer, testKey } from '../billing/support/stripe-server.ts'
import { authSecret } from '../support/service-process.ts'
import { type CitusCluster, startCitusCluster } from './citus-cluster.ts'
import { type MemberName, Members } from './members.ts'
import { MovedClocks } from './moved-clock.ts'
import { type OwnServer, startOwnServer } from './own-server.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

export type Site = AsyncDisposable & {
  readonly server: OwnServer
  /** The server as a cluster; null on a single PostgreSQL. */
  readonly cluster: CitusCluster | null
  readonly proxy: TcpProxy
  readonly members: Members
  readonly clocks: MovedClocks
  readonly stripe: StripeServer
  /** Disks for PostgreSQL and for the process logs; null if this machine cannot mount disks. */
  readonly disks: { readonly data: SmallDisk; readonly logs: SmallDisk } | null
}

const dataMb = 700
const logsMb = 64

function mountDisks(): Site['disks'] {
  const data = mountSmallDisk(dataMb)
  const logs = data && mountSmallDisk(logsMb)
  return data && logs ? { data, logs } : null
}

/** Returns the environment of a process, apart from role and port. Unlike in production, webhooks may be sent to this machine. */
function getEnvironment(databaseUrl: string, publicUrl: string, stripe: StripeServer): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env
  return {
    PATH,
    HOME,
    DATABASE_URL: databaseUrl,
    DATA_DIR: 'unused',
    HOST: '127.0.0.1',
    PUBLIC_URL: publicUrl,
    NEXTAUTH_SECRET: authSecret,
    WEBHOOKS_ALLOW_PRIVATE: 'true',
    STRIPE_SECRET_KEY: testKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: stripe.base,
    LOG_LEVEL: 'info',
    NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)),
  }
}

export async function openSite(isCluster: boolean): Promise<Site> {
  await using opened = new AsyncDisposableStack()
  const clocks = opened.use(new MovedClocks())
  const disks = isCluster ? null : mountDisks()
  opened.defer(() => {
    disks?.logs[Symbol.dispose]()
    disks?.data[Symbol.dispose]()
  })
  // A new folder, because processes append to their logs, in which events are counted.
  const folder = await mkdtemp(join(tmpdir(), 'svc-chaos-logs-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  // Keep little WAL, so that the disk can be small.
  const settings = { max_wal_size: '128MB', min_wal_size: '32MB' }
  const cluster = isCluster ? opened.use(await startCitusCluster()) : null
  const startServer = () => startOwnServer({ parent: disks?.data.path ?? tmpdir(), settings, environment: clocks.environment('database') })
  const server = cluster ?? opened.use(await startServer())
  const proxy = opened.use(await startTcpProxy(server.url))
  const stripe = await StripeServer.open()
  opened.defer(() => stripe.close())
  const getEnv = (name: MemberName, publicUrl: string) => ({ ...getEnvironment(proxy.url, publicUrl, stripe), ...clocks.environment(name) })
  const members = opened.use(await Members.start(disks?.logs.path ?? folder, getEnv))
  const kept = opened.move()
  return { server, cluster, proxy, members, clocks, stripe, disks, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
