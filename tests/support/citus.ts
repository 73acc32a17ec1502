/** Test databases on a Citus cluster, used instead of the embedded server if CITUS_URL is set: the database `svc` on the coordinator (bench/citus/setup.sh). */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'

const shards = 8

/** URL of the cluster's coordinator; undefined to test on a single server. */
export const getClusterUrl = (): string | undefined => process.env['CITUS_URL']

/** View of the sessions of the server or, on a cluster, of every node. */
export const activityView = (): string => (getClusterUrl() === undefined ? 'pg_stat_activity' : 'citus_stat_activity')

export function atDatabase(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

export async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000, statement_timeout: 60_000 })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** Returns the URL of each node, the coordinator first. */
export function readNodes(clusterUrl: string): Promise<string[]> {
  return withClient(clusterUrl, async (client) => {
    const { rows } = await client.query<{ host: string; port: number }>('SELECT nodename AS host, nodeport AS port FROM pg_dist_node ORDER BY groupid')
    return rows.map(({ host, port }) => {
      const node = new URL(clusterUrl)
      node.hostname = host
      node.port = String(port)
      return node.href
    })
  })
}

/** Creates a database on every node and makes them a cluster, replacing one of the same name. */
async function createCluster(nodes: readonly string[], name: string): Promise<void> {
  for (const node of nodes) {
    await withClient(node, async (admin) => {
      await admin.query(`UPDATE pg_database SET datistemplate = false WHERE datname = $1`, [name])
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await admin.query(`CREATE DATABASE ${name}`)
    })
    await withClient(atDatabase(node, name), (client) => client.query('CREATE EXTENSION citus'))
  }
  const [coordinator = '', ...workers] = nodes
  await withClient(atDatabase(coordinator, name), async (client) => {
    const add = (text: string, url: string) => client.query(text, [new URL(url).hostname, Number(new URL(url).port)])
    await add('SELECT citus_set_coordinator_host($1, $2)', coordinator)
    for (const worker of workers) await add('SELECT citus_add_node($1, $2)', worker)
  })
}

/** Creates a database on every node, without tables, for tests that distribute them. */
export async function createEmptyCluster(clusterUrl: string, name: string) {
  const nodes = await readNodes(clusterUrl)
  await createCluster(nodes, name)
  return { url: atDatabase(clusterUrl, name), drop: () => dropCluster(nodes, name) }
}

/** SQLSTATE of a database that is in use. */
const inUse = '55006'

/** Drops a database. Tries again while Citus's daemon is connected to it: the daemon reconnects after FORCE has ended its session. */
async function dropDatabase(admin: Client, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      return
    } catch (error) {
      if (attempt === 10 || !(error instanceof DatabaseError) || error.code !== inUse) throw error
      await sleep(200)
    }
  }
}

async function dropCluster(nodes: readonly string[], name: string): Promise<void> {
  for (const node of nodes) await withClient(node, (admin) => dropDatabase(admin, name))
}

/** Creates a database on every node, calls `fill`, distributes its tables, and makes it a template. `fill` must close its connections. */
export async function createClusterTemplate(clusterUrl: string, name: string, fill: (url: string) => Promise<void>): Promise<string> {
  const nodes = await readNodes(clusterUrl)
  await createCluster(nodes, name)
  const url = atDatabase(clusterUrl, name)
  await fill(url)
  await withClient(url, (client) => client.query('SELECT distribute_charges($1)', [shards]))
  for (const node of nodes) {
    await withClient(node, async (admin) => {
      await admin.query(`ALTER DATABASE ${name} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`)
      // Citus keeps connections between nodes, and its daemon one to each database. PostgreSQL refuses to copy a database with open connections.
      await admin.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1', [name])
    })
  }
  return url
}

/** Copies a database on every node. Citus keeps its metadata in the database, so the copies are a cluster too. */
export async function cloneCluster(clusterUrl: string, template: string, name: string) {
  const nodes = await readNodes(clusterUrl)
  await Promise.all(nodes.map((node) => withClient(node, (admin) => admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY = FILE_COPY`))))
  return { url: atDatabase(clusterUrl, name), drop: () => dropCluster(nodes, name) }
}
