import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Prints the number of SDK modules loaded after importing the service, and after importing the message parser. */
const script = `
  import { registerHooks } from 'node:module'
  let loaded = 0
  registerHooks({ resolve: (name, context, next) => {
    const found = next(name, context)
    if (found.url.includes('/@modelcontextprotocol/')) loaded++
    return found
  } })
  await import('${new URL('../../server/runtime/service.ts', import.meta.url)}')
  const before = loaded
  await import('${new URL('../../server/api/http/mcp-eras.ts', import.meta.url)}')
  console.log(JSON.stringify({ before, after: loaded }))
`

test('importing the service does not load the SDK; importing the message parser does', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  const { before, after } = JSON.parse(stdout) as { before: number; after: number }
  expect(before).toBe(0)
  expect(after).toBeGreaterThan(0)
})
