import { afterAll, beforeAll, expect, test } from 'vitest'
import { Stage } from '../v1/support/stage.ts'
import { runCli } from './support/run-cli.ts'

const stage = new Stage('lean')

beforeAll(() => stage.open())
afterAll(() => stage.close())

test.each(['openapi', 'postman'])('svc %s prints the bytes that are served, with --json too', { timeout: 60_000 }, async (name) => {
  const { text } = await stage.raw('GET', `/api/developer/${name}.json`)
  expect(await Promise.all([runCli(stage.databaseUrl, name), runCli(stage.databaseUrl, '--json', name)])).toEqual([text, text])
})
