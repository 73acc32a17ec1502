import type { DocsData } from '../published-values.ts'
import { type SiteDocument, siteDocuments } from './site-documents.ts'

/** Converts Markdown to plain text on one line, without code blocks. */
function plainText(markdown: string): string {
  return markdown
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/^\|[-:| ]+\|$/gm, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^(?:#+|-|>) /gm, '')
    .replace(/[`*|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Section of a page under one heading. The first section has no heading. */
type Part = {
  readonly document: SiteDocument
  readonly heading: string
  readonly text: string
  readonly titleWords: readonly string[]
  readonly headingWords: readonly string[]
  readonly textWords: readonly string[]
}

/** Search hit: a section of a page. `excerpt` is the text around the first matching word. */
export type SearchResult = { readonly path: string; readonly title: string; readonly section: string; readonly heading: string; readonly excerpt: string }

const maxQueryLength = 100
const maxWords = 8
const maxResults = 20
const maxPerPage = 3

export const getWords = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? []

function getParts(document: SiteDocument, markdown: string): Part[] {
  const titleWords = getWords(`${document.title} ${document.path}`)
  return `## \n${document.description}\n\n${markdown}`.split(/^## /m).flatMap((part) => {
    const end = part.indexOf('\n')
    const [heading, text] = [plainText(part.slice(0, Math.max(end, 0))), plainText(part.slice(end + 1))]
    return text === '' ? [] : [{ document, heading, text, titleWords, headingWords: getWords(heading), textWords: getWords(text) }]
  })
}

type Kept = { readonly sample: unknown; readonly overrides: unknown; readonly parts: Promise<readonly Part[]> }

let kept: Kept | null = null

async function read(facts: DocsData): Promise<readonly Part[]> {
  try {
    const made = await Promise.all(siteDocuments.map(async (document) => getParts(document, await document.markdown(facts))))
    return made.flat()
  } catch (error) {
    // The next search retries.
    kept = null
    throw error
  }
}

/** Returns all sections of all pages; rebuilt when the input of the pages changes. */
function index(facts: DocsData): Promise<readonly Part[]> {
  const { sample, overrides } = facts
  if (kept?.sample !== sample || kept.overrides !== overrides) kept = { sample, overrides, parts: read(facts) }
  return kept.parts
}

/** Returns the weight of a word in a list: whole words count more than prefixes. */
function weigh(words: readonly string[], word: string): number {
  if (words.includes(word)) return 3
  return words.some((one) => one.startsWith(word)) ? 1 : 0
}

/** Returns the score of a section; 0 unless every word is found in its text, heading or page title. */
function getScore(part: Part, words: readonly string[]): number {
  let score = 0
  for (const word of words) {
    const found = 8 * weigh(part.titleWords, word) + 5 * weigh(part.headingWords, word) + weigh(part.textWords, word)
    if (found === 0) return 0
    score += found
  }
  return part.heading === '' ? score + 2 : score
}

function getExcerpt(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const found = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0)
  const start = Math.max(0, Math.min(...(found.length === 0 ? [0] : found)) - 60)
  const from = start === 0 ? 0 : text.indexOf(' ', start) + 1
  const cut = text.slice(from, from + 200)
  const isCut = from + 200 < text.length
  return `${from > 0 ? '… ' : ''}${isCut ? `${cut.slice(0, cut.lastIndexOf(' '))} …` : cut}`
}

/** Returns the sections that contain all words of a query, or words that start with them; best match first. */
export async function search(query: string, facts: DocsData): Promise<SearchResult[]> {
  const words = getWords(query.slice(0, maxQueryLength)).slice(0, maxWords)
  if (words.length === 0) return []
  const scored = (await index(facts)).map((part) => ({ part, score: getScore(part, words) })).filter(({ score }) => score > 0)
  const results: SearchResult[] = []
  for (const { part } of scored.sort((a, b) => b.score - a.score)) {
    const { path, title, section } = part.document
    if (results.filter((result) => result.path === path).length === maxPerPage) continue
    results.push({ path, title, section, heading: part.heading, excerpt: getExcerpt(part.text, words) })
    if (results.length === maxResults) break
  }
  return results
}
