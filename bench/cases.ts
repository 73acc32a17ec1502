/** The servers that are measured. A missing one (no nginx, no build) is told in the table instead. */
export type ServerName =
  | 'bare'
  | 'nextBare'
  | 'nginx'
  | 'textbook'
  | 'lean'
  | 'leanTool'
  | 'leanNewestTool'
  | 'lean2'
  | 'lean4'
  | 'leanWorker'
  | 'nextMount'
  | 'leanEmpty'
  | 'leanFull'

export type Accounts = 'spread' | 'hot'

/** One line of the table: a server under one kind of load. */
export type Case = {
  readonly id: string
  readonly label: string
  readonly server: ServerName
  /** Null: nothing is charged. */
  readonly accounts: Accounts | null
  readonly connections: number
}

const connectionCounts = [1, 32, 128]
export const mostConnections = 128

/** How many accounts the load is spread over. */
export const spreadOver = 100

const kinds: Record<Accounts, string> = { spread: `${spreadOver} accounts`, hot: 'one hot account' }

export const caseId = (server: ServerName, accounts: Accounts | null, connections: number) => [server, ...(accounts ? [accounts] : []), connections].join('/')

function free(server: ServerName, label: string): Case[] {
  return connectionCounts.map((connections) => ({ id: caseId(server, null, connections), label, server, accounts: null, connections }))
}

function metered(server: ServerName, label: string, counts = connectionCounts, over: readonly Accounts[] = ['spread', 'hot']): Case[] {
  // One connection is never in its own way, whatever it is charged to.
  const countsOf = (accounts: Accounts) => (accounts === 'hot' ? counts.filter((count) => count > 1) : counts)
  return over.flatMap((accounts) =>
    countsOf(accounts).map((connections) => ({
      id: caseId(server, accounts, connections),
      label: `${label}, ${kinds[accounts]}`,
      server,
      accounts,
      connections,
    })),
  )
}

export const cases: readonly Case[] = [
  ...free('nginx', 'nginx with limit_req in front of bare node:http'),
  ...free('bare', 'bare node:http, constant body'),
  ...metered('lean', 'ours, lean listener'),
  ...metered('lean4', 'ours, lean listener, 4 processes', [mostConnections]),
  ...metered('lean2', 'ours, lean listener, 2 processes', [mostConnections]),
  ...metered('leanTool', 'ours, lean listener, tool calls', [mostConnections], ['spread']),
  ...metered('leanNewestTool', 'ours, lean listener, tool calls as of 2026-07-28', [mostConnections], ['spread']),
  ...metered('leanWorker', 'ours, lean listener and the worker', [mostConnections]),
  ...metered('textbook', 'textbook: Prisma transaction a request'),
  ...free('nextBare', 'bare Next route handler, constant body'),
  ...metered('nextMount', 'ours, Next mount'),
]

/**
 * In the order in which they are measured: by connections first, so that what is compared is measured within the same minute. The speed of a machine
 * that others use too wanders by half within five.
 */
export const measuringOrder = (wanted: readonly Case[]): Case[] => wanted.toSorted((one, other) => one.connections - other.connections)

export const fullCases: readonly Case[] = [
  ...metered('leanEmpty', 'ours, lean listener, empty database', [mostConnections]),
  ...metered('leanFull', 'ours, lean listener, 10 million log rows and 1 million keys', [mostConnections]),
]
