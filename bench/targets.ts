import { caseId, type PageServer, pages } from './cases.ts'
import { medianFigure, medianRatio, p99Ms, requestsPerSecond } from './figures.ts'
import type { Measured, Sample } from './measure.ts'

/** Guaranteed performance ratio between two cases, or a guaranteed figure of one case, with the measured value. */
export type Target = {
  readonly text: string
  readonly wanted: number
  readonly isCeiling: boolean
  readonly unit: string
  readonly ratio: number | null
  readonly reached: boolean | null
}

const spread = caseId('lean', 'spread', 128)

type Promised = { text: string; id: string; to: string | null; wanted: number; figure?: (sample: Sample) => number; isCeiling?: boolean }

const page = (server: PageServer) => caseId(server, null, 32)

/** Responses per second for which one processor core is sufficient. */
const perCore = (sample: Sample) => 1_000_000 / sample.serverCpuMicros

const ofPages: readonly Promised[] = (Object.keys(pages) as (keyof typeof pages)[]).flatMap((name) => [
  { text: `GET ${pages[name]} from memory, requests per second on one core`, id: page(`${name}Page`), to: null, wanted: 2_000, figure: perCore },
  { text: `GET ${pages[name]} from memory vs. rendered, CPU time`, id: page(`${name}Page`), to: page(`${name}Rendered`), wanted: 40, figure: perCore },
])

const promises: readonly Promised[] = [
  { text: 'lean listener vs. the bare Next route handler, 128 connections', id: spread, to: caseId('nextBare', null, 128), wanted: 7 },
  { text: 'lean listener vs. the textbook approach, 128 connections', id: spread, to: caseId('textbook', 'spread', 128), wanted: 18 },
  { text: 'lean listener vs. bare node:http, 100 accounts, 128 connections', id: spread, to: caseId('bare', null, 128), wanted: 0.33 },
  { text: 'one hot account vs. 100 accounts, 128 connections', id: caseId('lean', 'hot', 128), to: spread, wanted: 1 },
  {
    text: 'p99 at 32 connections vs. the p99 of bare node:http',
    id: caseId('lean', 'spread', 32),
    to: caseId('bare', null, 32),
    wanted: 6,
    figure: p99Ms,
    isCeiling: true,
  },
  { text: 'MCP tool calls vs. the same calls over HTTP, 128 connections', id: caseId('leanTool', 'spread', 128), to: spread, wanted: 0.25 },
  {
    text: 'MCP tool calls of 2026-07-28 vs. the same calls over HTTP, 128 connections',
    id: caseId('leanNewestTool', 'spread', 128),
    to: spread,
    wanted: 0.25,
  },
  {
    text: 'Next mount vs. the bare Next route handler, 128 connections',
    id: caseId('nextMount', 'spread', 128),
    to: caseId('nextBare', null, 128),
    wanted: 0.85,
  },
  ...ofPages,
]

export function checkTargets(measured: Measured): Target[] {
  return promises.map(({ text, id, to, wanted, figure = requestsPerSecond, isCeiling = false }) => {
    const ratio = to === null ? medianFigure(measured, id, figure) : medianRatio(measured, id, to, figure)
    const reached = ratio === null ? null : isCeiling ? ratio <= wanted : ratio >= wanted
    return { text, wanted, isCeiling, unit: to === null ? '' : '×', ratio, reached }
  })
}
