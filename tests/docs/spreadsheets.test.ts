/** Runs the recipes of the spreadsheets guide against the real API, with stubs of the Google services that the code calls. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { afterAll, beforeAll, expect } from 'vitest'
import { maximumLimit } from '#server/api/contract/endpoint.ts'
import { verifies } from '../requirements/verifies.ts'
import { type Caller, Fixture } from '../v1/support/fixture.ts'
import { getBlocks } from './support/docs-text.ts'

const fixture = new Fixture('lean')

beforeAll(() => fixture.open())
afterAll(() => fixture.close())

type Reply = { readonly status: number; readonly text: string; readonly headers: Record<string, string> }
type Sent = { readonly url: string; readonly headers: Record<string, string> }

async function send({ url, headers }: Sent): Promise<Reply> {
  const response = await fetch(url, { headers })
  return { status: response.status, text: await response.text(), headers: Object.fromEntries(response.headers) }
}

/** Returns the code block of a recipe: JavaScript for Google Sheets, no language for Excel. */
function getRecipe(language: 'js' | ''): string {
  const text = readFileSync('content/guides/spreadsheets.md', 'utf8')
    .replaceAll('{{api}}', fixture.service.api)
    .replaceAll('{{maximumLimit}}', String(maximumLimit))
  const [block] = getBlocks(new Map([['spreadsheets', text]])).filter((one) => one.language === language)
  return block?.code ?? ''
}

type Cell = string | number

/** Spreadsheet with an Apps Script project. */
class Spreadsheet {
  readonly properties: Map<string, string>
  readonly cache = new Map<string, string>()
  cells: Cell[][] | null = null
  readonly requests: Sent[] = []
  private replies: Reply[] = []

  constructor({ key }: Caller) {
    this.properties = new Map([['SVC_API_KEY', key]])
  }

  /** Runs a function of the recipe. Apps Script fetches synchronously, so the function starts again whenever a response has arrived. */
  async run(name: string, ...args: string[]): Promise<Cell[][] | undefined> {
    this.replies = []
    for (;;) {
      const [replies, wanted] = [[...this.replies], { sent: null as Sent | null }]
      const context = createContext({ ...this.services(replies, wanted), args })
      try {
        const result: unknown = runInContext(
          `${getRecipe('js')}\nconst result = ${name}(...args); result === undefined ? null : JSON.stringify(result)`,
          context,
        )
        return result === null ? undefined : (JSON.parse(String(result)) as Cell[][])
      } catch (error) {
        if (wanted.sent === null) throw error
        this.requests.push(wanted.sent)
        this.replies.push(await send(wanted.sent))
      }
    }
  }

  private services(replies: Reply[], wanted: { sent: Sent | null }): object {
    const response = ({ status, text, headers }: Reply) => ({ getResponseCode: () => status, getContentText: () => text, getHeaders: () => headers })
    const sheet = {
      getLastRow: () => this.cells?.length ?? 0,
      clearContents: () => {
        this.cells = []
      },
      getRange: (row: number, column: number, rows: number, columns: number) => ({
        setValues: (values: Cell[][]) => {
          expect([row, column, rows, columns]).toEqual([1, 1, values.length, values[0]?.length])
          this.cells = structuredClone(JSON.parse(JSON.stringify(values)))
        },
      }),
    }
    return {
      PropertiesService: {
        getScriptProperties: () => ({
          getProperty: (name: string) => this.properties.get(name) ?? null,
          setProperty: (name: string, value: string) => this.properties.set(name, value),
        }),
      },
      CacheService: {
        getScriptCache: () => ({ get: (name: string) => this.cache.get(name) ?? null, put: (name: string, value: string) => this.cache.set(name, value) }),
      },
      SpreadsheetApp: {
        getActive: () => ({ getSheetByName: (name: string) => (name === 'Rates' && this.cells ? sheet : null), insertSheet: () => sheet }),
      },
      Utilities: {
        parseCsv: (text: string) =>
          text
            .trimEnd()
            .split('\r\n')
            .map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain)),
      },
      UrlFetchApp: {
        fetch: (url: string, { headers, muteHttpExceptions }: { headers: Record<string, string>; muteHttpExceptions: boolean }) => {
          const next = replies.shift()
          if (next) return response(next)
          expect(muteHttpExceptions).toBe(true)
          wanted.sent = { url, headers: { ...headers } }
          throw new Error('Waits for the response.')
        },
      },
    }
  }
}

verifies('clients/google-sheets', async () => {
  const caller = await fixture.live({ credits: 200 })
  const spreadsheet = new Spreadsheet(caller)
  await spreadsheet.run('refreshRates')
  const [head, ...rows] = spreadsheet.cells ?? []
  expect(head).toEqual(['provider', 'accountName', 'rate'])
  expect(rows.length).toBeGreaterThan(5)
  expect(rows.every((row) => row.length === 3 && typeof row[2] === 'number')).toBe(true)
  const left = await fixture.balance(caller.account)
  expect(left).toBe(200 - rows.length)

  const cells = spreadsheet.cells
  await spreadsheet.run('refreshRates')
  expect([await fixture.balance(caller.account), spreadsheet.cells]).toEqual([left, cells])
  expect(spreadsheet.requests.map(({ headers }) => 'If-None-Match' in headers)).toEqual([false, true])
  // Without the data of the last response, its ETag is not sent.
  spreadsheet.cells = []
  await spreadsheet.run('refreshRates')
  expect(spreadsheet.cells).toEqual(cells)

  const formula = ['SAVINGS_RATES', 'rates?type=notice&limit=2&fields=provider,rate'] as const
  const first = await spreadsheet.run(...formula)
  expect(first).toEqual([
    ['provider', 'rate'],
    [expect.any(String), expect.any(Number)],
    [expect.any(String), expect.any(Number)],
  ])
  const balance = await fixture.balance(caller.account)
  expect(await spreadsheet.run(...formula)).toEqual(first)
  expect(await fixture.balance(caller.account)).toBe(balance)
  expect(spreadsheet.requests.map(({ url }) => url).join()).not.toContain(caller.key)
  await expect(spreadsheet.run('SAVINGS_RATES', 'rates?type=none')).rejects.toThrow(/400 .*invalid_request/)
})

verifies('clients/excel', async () => {
  const recipe = getRecipe('')
  const read = (pattern: RegExp) => pattern.exec(recipe)?.[1] ?? ''
  const parameters = new URLSearchParams([...read(/Parameters = \[(.*)\],/).matchAll(/(\w+) = "([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]))
  const url = `${read(/Web\.Contents\("([^"]+)"/)}/${read(/RelativePath = "([^"]+)"/)}?${parameters}`
  const caller = await fixture.live({ credits: 100 })
  const headers = {
    Authorization: `Bearer ${caller.key}`,
    Accept: read(/Accept = "([^"]+)"/),
    'Idempotency-Key': `excel 2026-11-27 10 ${parameters} ${randomUUID()}`,
  }
  const [first, again] = [await send({ url, headers }), await send({ url, headers })]
  const [head, ...rows] = first.text.trimEnd().split('\r\n')
  expect([first.status, head]).toEqual([200, parameters.get('fields')])
  expect(first.headers['content-type']).toContain('text/csv')
  expect(again.text).toBe(first.text)
  expect(await fixture.balance(caller.account)).toBe(100 - rows.length)
  expect(recipe).toContain('Key = Text.Trim(Text.FromBinary(File.Contents(')
  expect(recipe).toContain('Authorization = "Bearer " & Key,')
})
