/** Servers under test. The results table marks those that have not been built. */
export type ServerName = 'bare' | 'nextBare' | 'textbook' | 'lean' | 'leanTool' | 'leanNewestTool' | 'nextMount' | PageServer

/** Pages measured from memory, and rendered for each request. */
export const pages = { home: '/', docs: '/docs', status: '/status' } as const
export type PageServer = `${keyof typeof pages}${'Page' | 'Rendered'}`

export type Accounts = 'spread' | 'hot'

/** Row of the results table: a server under one kind of load. */
export type Case = {
  readonly id: string
  readonly label: string
  readonly server: ServerName
  /** Null if calls are not charged. */
  readonly accounts: Accounts | null
  readonly connections: number
}

const connectionCounts = [1, 32, 128]
const maxConnections = 128

/** Number of accounts that share the load. */
export const spreadOver = 100

const kinds: Record<Accounts, string> = { spread: `${spreadOver} accounts`, hot: 'one hot account' }

export const caseId = (server: ServerName, accounts: Accounts | null, connections: number) => [server, ...(accounts ? [accounts] : []), connections].join('/')

function free(server: ServerName, label: string, counts = connectionCounts): Case[] {
  return counts.map((connections) => ({ id: caseId(server, null, connections), label, server, accounts: null, connections }))
}

function metered(server: ServerName, label: string, counts = connectionCounts, over: readonly Accounts[] = ['spread', 'hot']): Case[] {
  // With a single connection, calls never contend for an account, so the number of accounts makes no difference.
  const countsFor = (accounts: Accounts) => (accounts === 'hot' ? counts.filter((count) => count > 1) : counts)
  return over.flatMap((accounts) =>
    countsFor(accounts).map((connections) => ({
      id: caseId(server, accounts, connections),
      label: `${label}, ${kinds[accounts]}`,
      server,
      accounts,
      connections,
    })),
  )
}

export const cases: readonly Case[] = [
  ...free('bare', 'bare node:http, constant body'),
  ...metered('lean', 'ours, lean listener'),
  ...metered('leanTool', 'ours, lean listener, MCP tool calls', [maxConnections], ['spread']),
  ...metered('leanNewestTool', 'ours, lean listener, MCP tool calls of 2026-07-28', [maxConnections], ['spread']),
  ...metered('textbook', 'textbook: one Prisma transaction per request'),
  ...free('nextBare', 'bare Next route handler, constant body'),
  ...metered('nextMount', 'ours, Next mount'),
  ...(Object.keys(pages) as (keyof typeof pages)[]).flatMap((name) => [
    ...free(`${name}Page`, `GET ${pages[name]} from memory`, [32]),
    ...free(`${name}Rendered`, `GET ${pages[name]} rendered for each request`, [32]),
  ]),
]

/**
 * Sorts cases by their number of connections, so that cases to be compared are measured within the same minute. The speed of a shared machine can vary by 50 %
 * within five minutes.
 */
export const measuringOrder = (wanted: readonly Case[]): Case[] => wanted.toSorted((one, other) => one.connections - other.connections)
