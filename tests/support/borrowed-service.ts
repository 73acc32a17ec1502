import { readFileSync } from 'node:fs'
import { inject } from 'vitest'
import type { ServiceProcess } from './service-process.ts'
import type { Kind, Loan, LoanRequest } from './stage-keeper.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where services are lent: `project.provide('keeperUrl', keeper.url)`. */
    keeperUrl: string
  }
}

/** A service that other test files had before and will have after, with its database. */
export type BorrowedService = {
  readonly service: Pick<ServiceProcess, 'api' | 'origin' | 'log'>
  readonly databaseUrl: string
  readonly smtpPort: number
  giveBack: () => Promise<void>
}

async function ask(path: string, init: RequestInit): Promise<unknown> {
  const answer = await fetch(new URL(path, inject('keeperUrl')), init)
  if (!answer.ok) throw new Error(await answer.text())
  return answer.json()
}

/** Borrows a service for as long as a test file runs. Nobody else has it meanwhile; its log begins with the loan. */
export async function borrowService(kind: Kind): Promise<BorrowedService> {
  const request: LoanRequest = { kind, env: process.env }
  const { id, origin, logPath, logFrom, ...rest } = (await ask('', { method: 'POST', body: JSON.stringify(request) })) as Loan
  const log = () => readFileSync(logPath).subarray(logFrom).toString()
  return { ...rest, service: { api: `${origin}/v1`, origin, log }, giveBack: async () => void (await ask(String(id), { method: 'DELETE' })) }
}
