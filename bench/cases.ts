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
  return over.flatMap((accounts) =>
    counts.map((connections) => ({ id: caseId(server, accounts, connections), label: `${label}, ${kinds[accounts]}`, server, accounts, connections })),
  )
}

export const cases: readonly Case[] = [
  ...free('bare', 'bare node:http, constant body'),
  ...free('nextBare', 'bare Next route handler, constant body'),
  ...free('nginx', 'nginx with limit_req in front of bare node:http'),
  ...metered('textbook', 'textbook: Prisma transaction a request'),
  ...metered('lean', 'ours, lean listener'),
  ...metered('leanTool', 'ours, lean listener, tool calls', [mostConnections], ['spread']),
  ...metered('leanNewestTool', 'ours, lean listener, tool calls as of 2026-07-28', [mostConnections], ['spread']),
  ...metered('nextMount', 'ours, Next mount'),
  ...metered('lean2', 'ours, lean listener, 2 processes', [mostConnections]),
  ...metered('lean4', 'ours, lean listener, 4 processes', [mostConnections]),
  ...metered('leanWorker', 'ours, lean listener and the worker', [mostConnections]),
]

export const fullCases: readonly Case[] = [
  ...metered('leanEmpty', 'ours, lean listener, empty database', [mostConnections]),
  ...metered('leanFull', 'ours, lean listener, 10 million log rows and 1 million keys', [mostConnections]),
]
