import { readFileSync } from 'node:fs'
import type { Kind, Loan, LoanRequest } from './service-pool.ts'
import type { ServiceProcess } from './service-process.ts'

/** Running service and its database, which test files use one after another. */
export type BorrowedService = {
  readonly service: Pick<ServiceProcess, 'api' | 'origin' | 'log'>
  readonly databaseUrl: string
  readonly smtpPort: number
  giveBack: () => Promise<void>
}

async function ask(path: string, init: RequestInit): Promise<unknown> {
  const answer = await fetch(new URL(path, process.env['SVC_TEST_KEEPER_URL']), init)
  if (!answer.ok) throw new Error(await answer.text())
  return answer.json()
}

/** Borrows a service for the exclusive use of a test file. `log` contains only the lines written since then. */
export async function borrowService(kind: Kind): Promise<BorrowedService> {
  const request: LoanRequest = { kind, env: process.env }
  const { id, origin, logPath, logFrom, ...rest } = (await ask('', { method: 'POST', body: JSON.stringify(request) })) as Loan
  const log = () => readFileSync(logPath).subarray(logFrom).toString()
  return { ...rest, service: { api: `${origin}/v1`, origin, log }, giveBack: async () => void (await ask(String(id), { method: 'DELETE' })) }
}
