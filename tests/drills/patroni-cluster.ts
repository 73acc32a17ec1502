/** Three PostgreSQL servers under Patroni on this machine, with etcd. Needs the Debian packages patroni, etcd-server and postgresql. */
import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseYaml } from '@redocly/openapi-core'
import { Client } from 'pg'
import { freePort } from '../support/service-process.ts'
import { findPostgres, makeFolder, startProgram } from './postgres-user.ts'

const password = 'drill'
const readyTimeoutMs = 120_000

const shippedFile = new URL('../../deploy/patroni.yaml', import.meta.url)

type Settings = Record<string, unknown>
type Shipped = Settings & { readonly bootstrap: { readonly dcs: { readonly postgresql: { readonly parameters: Settings } } }; readonly postgresql: Settings }

type Member = { readonly name: string; readonly role: string; readonly state: string; readonly timeline?: number; readonly lag?: number | string }

/** One server: Patroni and its PostgreSQL. */
class Node {
  readonly name: string
  readonly port: number
  readonly restPort: number
  readonly dataDir: string
  private readonly config: string
  private child: ChildProcess | null = null

  constructor(name: string, folder: string, ports: { readonly port: number; readonly restPort: number }) {
    this.name = name
    this.port = ports.port
    this.restPort = ports.restPort
    this.dataDir = join(folder, name)
    this.config = join(folder, `${name}.yml`)
  }

  async configure(folder: string, etcdPort: number): Promise<void> {
    const shipped = parseYaml(await readFile(shippedFile, 'utf8')) as Shipped
    const [address, restAddress] = [`127.0.0.1:${this.port}`, `127.0.0.1:${this.restPort}`]
    const { dcs } = shipped.bootstrap
    // Omits archiving, which the recovery drill covers.
    const parameters = { ...dcs.postgresql.parameters, shared_buffers: '64MB', archive_mode: 'off' }
    const configuration = {
      ...shipped,
      name: this.name,
      restapi: { listen: restAddress, connect_address: restAddress },
      etcd3: { hosts: [`127.0.0.1:${etcdPort}`] },
      bootstrap: { ...shipped.bootstrap, dcs: { ...dcs, postgresql: { ...dcs.postgresql, parameters } } },
      postgresql: {
        ...shipped.postgresql,
        recovery_conf: {},
        listen: address,
        connect_address: address,
        data_dir: this.dataDir,
        bin_dir: findPostgres(),
        pgpass: join(folder, `${this.name}.pgpass`),
        pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
        authentication: { superuser: { username: 'postgres', password }, replication: { username: 'replicator', password } },
        parameters: { unix_socket_directories: folder },
      },
      watchdog: { mode: 'off' },
    }
    // JSON is valid YAML.
    await writeFile(this.config, JSON.stringify(configuration, null, 2))
  }

  start(): void {
    this.child = startProgram('patroni', [this.config], `${this.config}.log`)
  }

  /** Returns the ids of the PostgreSQL processes, the postmaster first. */
  private get postgres(): number[] {
    const file = join(this.dataDir, 'postmaster.pid')
    if (!existsSync(file)) return []
    const postmaster = Number(readFileSync(file, 'utf8').split('\n')[0])
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
    return [postmaster, ...children]
  }

  private get patroni(): number[] {
    return this.child?.pid === undefined ? [] : [this.child.pid]
  }

  /** Sends a signal to PostgreSQL, and to Patroni first if `isWhole`. */
  signal(signal: NodeJS.Signals, isWhole: boolean): number[] {
    const pids = [...(isWhole ? this.patroni : []), ...this.postgres]
    for (const pid of pids) process.kill(pid, signal)
    return pids
  }

  /** Kills the server, including one that is frozen or already gone. */
  stop(): void {
    try {
      this.signal('SIGKILL', true)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : ''
      if (code !== 'ESRCH' && code !== 'ENOENT') throw error
    }
  }

  get log(): string {
    return existsSync(`${this.config}.log`) ? readFileSync(`${this.config}.log`, 'utf8') : ''
  }
}

export class PatroniCluster implements AsyncDisposable {
  readonly nodes: readonly Node[]
  private readonly opened: AsyncDisposableStack

  private constructor(nodes: readonly Node[], opened: AsyncDisposableStack) {
    this.nodes = nodes
    this.opened = opened
  }

  static async start(): Promise<PatroniCluster> {
    await using opened = new AsyncDisposableStack()
    const folder = opened.use(await makeFolder('patroni')).path
    const [etcd, peer] = [await freePort(), await freePort()]
    const [client, peers] = [`http://127.0.0.1:${etcd}`, `http://127.0.0.1:${peer}`]
    const urls = ['--listen-client-urls', client, '--advertise-client-urls', client, '--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers]
    const store = startProgram('etcd', ['--data-dir', join(folder, 'etcd'), ...urls, '--initial-cluster', `default=${peers}`], join(folder, 'etcd.log'))
    opened.defer(() => void store.kill('SIGKILL'))
    const nodes: Node[] = []
    for (const name of ['node1', 'node2', 'node3']) {
      const node = new Node(name, folder, { port: await freePort(), restPort: await freePort() })
      await node.configure(folder, etcd)
      nodes.push(node)
      node.start()
      opened.defer(() => node.stop())
    }
    const cluster = new PatroniCluster(nodes, opened.move())
    try {
      await cluster.untilWhole()
      await cluster.createDatabase()
      return cluster
    } catch (error) {
      await cluster[Symbol.asyncDispose]()
      throw error
    }
  }

  /** URL of all servers, in an order that does not depend on which one is the primary. */
  get url(): string {
    return `postgresql://svc:${password}@${this.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/svc?target_session_attrs=read-write`
  }

  /** Asks Patroni on all servers for the members. Each returns its last known state, so the one with the highest timeline is the newest. */
  private async members(): Promise<readonly Member[]> {
    const views = await Promise.all(
      this.nodes.map(async ({ restPort }) => {
        const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(1_000) }).catch(() => null)
        return answer?.ok ? ((await answer.json()) as { members: Member[] }).members : []
      }),
    )
    const age = (view: readonly Member[]) => Math.max(0, ...view.map(({ timeline }) => timeline ?? 0))
    return views.toSorted((one, two) => age(two) - age(one))[0] ?? []
  }

  /** Waits for three running servers, of which one is the primary and one its synchronous standby. */
  async untilWhole(): Promise<void> {
    for (const end = performance.now() + readyTimeoutMs; ; await sleep(250)) {
      const members = await this.members()
      const running = members.filter(({ state, lag }) => (state === 'running' || state === 'streaming') && (lag === undefined || Number(lag) === 0))
      const roles = running.map(({ role }) => role)
      if (running.length === this.nodes.length && roles.includes('leader') && roles.includes('sync_standby')) return
      if (performance.now() > end) throw new Error(`The cluster is not complete: ${JSON.stringify(members)}\n${this.lastLines}`)
    }
  }

  /** Waits for a primary other than `not`, and returns it. */
  async primary(not?: Node): Promise<Node> {
    const candidates = this.nodes.filter((node) => node !== not)
    for (const end = performance.now() + readyTimeoutMs; ; await sleep(50)) {
      const answers = await Promise.all(
        candidates.map(({ restPort }) => fetch(`http://127.0.0.1:${restPort}/primary`, { signal: AbortSignal.timeout(1_000) }).catch(() => null)),
      )
      const node = candidates.find((_, at) => answers[at]?.status === 200)
      if (node) return node
      if (performance.now() > end) throw new Error(`There is no primary.\n${this.lastLines}`)
    }
  }

  private get lastLines(): string {
    return this.nodes.map(({ name, log }) => `${name}:\n${log.slice(-3_000)}`).join('\n')
  }

  /** Requests a planned switchover from Patroni. */
  async switchOver(from: Node): Promise<void> {
    const body = JSON.stringify({ leader: from.name })
    const answer = await fetch(`http://127.0.0.1:${from.restPort}/switchover`, { method: 'POST', body, signal: AbortSignal.timeout(60_000) })
    if (!answer.ok) throw new Error(`Patroni rejected the switchover: ${await answer.text()}`)
  }

  private async createDatabase(): Promise<void> {
    const { port } = await this.primary()
    const client = new Client({ connectionString: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres` })
    await client.connect()
    await client.query(`CREATE ROLE svc LOGIN PASSWORD '${password}'`)
    await client.query('CREATE DATABASE svc OWNER svc')
    await client.end()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.opened.disposeAsync()
  }
}
