/** Runs the example program in examples/mcp-client.ts, as a customer would. The test approves its access in the portal. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import type { Member } from '../portal/support/portal-fixture.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { getData } from '../portal/support/visitor.ts'
import { verifies } from '../requirements/verifies.ts'

const fixture = portalFixture()
const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-'))
const file = join(folder, 'state.json')

afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Ended = { readonly status: number | null; readonly stdout: string; readonly stderr: string }

/** Runs the program. `approve` gets the URL that it prints, if it prints one. */
async function run(args: readonly string[], approve: (page: URL) => Promise<void>): Promise<Ended> {
  const env = { ...process.env, SVC_MCP_URL: `${fixture.origin}/mcp`, no_proxy: '*' }
  const child = spawn(process.execPath, ['examples/mcp-client.ts', file, ...args], { env, timeout: 30_000 })
  let [stdout, stderr, asked] = ['', '', Promise.resolve()]
  child.stdout.on('data', (text) => {
    stdout += text
  })
  child.stderr.on('data', (text) => {
    stderr += text
    const [page] = /^http.*$/m.exec(String(text)) ?? []
    if (page !== undefined) asked = approve(new URL(page))
  })
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve))
  await asked
  return { status, stdout, stderr }
}

/** Approves the access request in the portal, then follows the redirect back to the program, as a browser would. */
async function approve({ visitor }: Member, page: URL): Promise<void> {
  const request = Object.fromEntries(page.searchParams)
  expect(request).toMatchObject({ code_challenge_method: 'S256', state: expect.any(String) })
  const foreign = await fetch(`${request['redirect_uri']}?code=stolen&state=other`)
  expect(foreign.status).toBe(400)
  expect((await visitor.open(page.pathname + page.search)).text).toContain('An application calling itself Example MCP client is asking for access')
  const access = { mode: 'live', name: 'Example MCP client', scopes: ['rates:read'], addresses: '', cap: '10', expires: '' }
  const { url } = getData(await visitor.call('oauth.approve', 'mutation', { ...access, request }))
  expect(await (await fetch(url)).text()).toBe('You can close this window.')
}

verifies(
  'tools/oauth-example',
  async () => {
    const member = await fixture.member({ credits: 50 })
    let approvals = 0
    const ask = async (page: URL) => {
      approvals += 1
      await approve(member, page)
    }
    const listed = await run([], ask)
    expect([listed.status, approvals]).toEqual([0, 1])
    expect(listed.stdout).toMatch(/^rates: List savings products/m)
    const called = await run(['rates', '{"type":"notice","limit":2}'], ask)
    expect(called).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(called.stdout)).toMatchObject({ data: [{}, {}], meta: { creditsCharged: 2 } })
    const failed = await run(['rates', '{"type":"none"}'], ask)
    expect([failed.status, failed.stdout]).toEqual([1, expect.stringContaining('invalid_request')])
    expect(approvals).toBe(1)
    const { tokens } = JSON.parse(readFileSync(file, 'utf8')) as { tokens: { access_token: string } }
    for (const { stdout, stderr } of [listed, called, failed]) expect(stdout + stderr).not.toContain(tokens.access_token)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  },
  90_000,
)
