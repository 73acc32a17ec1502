/**
 * Tests that forms that redirect don't block each other when many are submitted at once. Next fetches the redirect target from this server while the form
 * is still waiting for its response, so the fetch must not wait for a rendering slot.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownDatabase } from '../support/own-database.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'

const database = ownDatabase({ max: 1 })

type Manifest = { node: Record<string, { exportedName?: string }> }

/** Returns the id of a server action from the build manifest. */
async function actionId(name: string): Promise<string> {
  const { node } = JSON.parse(await readFile('.next/server/server-reference-manifest.json', 'utf8')) as Manifest
  const [id] = Object.entries(node).find(([, action]) => action.exportedName === name) ?? []
  if (id === undefined) throw new Error(`The build has no action ${name}.`)
  return id
}

/** Submits a form as React does. Because nobody has signed up, the action redirects, and Next fetches the target page from this server. */
async function postForm({ origin }: ServiceProcess, id: string, address: string) {
  const body = new FormData()
  body.append('1_any', '')
  body.append('0', '[{},"$K1"]')
  const headers = { 'next-action': id, origin, 'x-forwarded-for': address }
  const response = await fetch(`${origin}/sign-up/check-email`, { method: 'POST', body, headers, redirect: 'manual' })
  return { status: response.status, redirect: response.headers.get('x-action-redirect'), page: await response.text() }
}

async function withService(roles: string, use: (service: ServiceProcess) => Promise<void>, env: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-concurrent-form-redirects-'))
  const service = await startProcess({ databaseUrl: database.url, mount: 'lean', dataDir, env: { ROLES: roles, TRUST_PROXY: '127.0.0.1', ...env } })
  try {
    await use(service)
    expect(service.log()).not.toContain('"level":50')
  } finally {
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

test.each([
  ['gateway,portal', {}],
  ['portal', {}],
  ['gateway,portal', { GATEWAY_PROCESSES: '2' }],
])('concurrent forms that redirect do not block each other with ROLES=%s %o', { timeout: 60_000 }, async (roles, env) => {
  const id = await actionId('sendAgainAction')
  await withService(
    roles,
    async (service) => {
      expect(await postForm(service, id, '203.0.113.1')).toMatchObject({
        status: 200,
        redirect: '/sign-up;push',
        page: expect.stringContaining('Create account'),
      })
      // If the fetch had to wait for a rendering slot, it would give up after ten seconds, and the response to the form submission would not contain the page.
      const networks = Array.from({ length: 8 }, (_, at) => `203.0.113.${at + 2}`)
      const posts = networks.flatMap((address) => Array.from({ length: 8 }, () => postForm(service, id, address)))
      const statuses = (await Promise.all(posts)).map(({ status, page }) => [status, page.includes('Create account')])
      expect(statuses).toEqual(statuses.map(() => [200, true]))
    },
    env,
  )
})
