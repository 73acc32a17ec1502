import MiniSearch from 'minisearch'
import type { DocsData } from '../published-values.ts'
import { type SiteDocument, sections, siteDocuments } from './site-documents.ts'

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
  readonly id: number
  readonly document: SiteDocument
  /** Title and path of the page. */
  readonly title: string
  readonly heading: string
  readonly text: string
}

/** Search hit: the best section of a page. `excerpt` is the text around the first matching word. */
export type SearchResult = {
  readonly path: string
  readonly title: string
  readonly section: SiteDocument['section']
  readonly heading: string
  readonly excerpt: string
}

const maxQueryLength = 100
const maxWords = 8
const maxResults = 20
const reservedPerSection = 5

const getWords = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? []

function getParts(document: SiteDocument, markdown: string): Omit<Part, 'id'>[] {
  const title = `${document.title} ${document.path}`
  return `## \n${document.description}\n\n${markdown}`.split(/^## /m).flatMap((part) => {
    const end = part.indexOf('\n')
    const [heading, text] = [plainText(part.slice(0, Math.max(end, 0))), plainText(part.slice(end + 1))]
    return text === '' ? [] : [{ document, title, heading, text }]
  })
}

type Index = { readonly parts: readonly Part[]; readonly words: MiniSearch<Part> }

/** Short words also match longer ones only at the end of a query, where the reader may still be typing. */
const isPrefix = (word: string, at: number, words: readonly string[]): boolean => word.length > 2 || at === words.length - 1

/** The introduction of a page ranks above its other sections. */
const introBoost = 1.5

/** Sections are indexed in blocks of this size, so that building the index doesn't hold up other requests. */
const blockSize = 50

async function build(facts: DocsData): Promise<Index> {
  const pages = await Promise.all(siteDocuments.map(async (document) => getParts(document, await document.markdown(facts))))
  const parts = pages.flat().map((part, id) => ({ ...part, id }))
  const words = new MiniSearch<Part>({
    fields: ['title', 'heading', 'text'],
    tokenize: getWords,
    searchOptions: {
      combineWith: 'AND',
      prefix: isPrefix,
      boost: { title: 8, heading: 5 },
      boostDocument: (id) => (parts[Number(id)]?.heading === '' ? introBoost : 1),
    },
  })
  await words.addAllAsync(parts, { chunkSize: blockSize })
  return { parts, words }
}

type Kept = { readonly sample: unknown; readonly overrides: unknown; readonly index: Promise<Index> }

let kept: Kept | null = null

async function buildOrForget(facts: DocsData): Promise<Index> {
  try {
    return await build(facts)
  } catch (error) {
    // The next search retries.
    kept = null
    throw error
  }
}

/** Returns the index of all sections of all pages; rebuilt when the input of the pages changes. */
function getIndex(facts: DocsData): Promise<Index> {
  const { sample, overrides } = facts
  if (kept?.sample !== sample || kept.overrides !== overrides) kept = { sample, overrides, index: buildOrForget(facts) }
  return kept.index
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

/** Returns true if a query is the title of a page: an error code, a guide's name, or a path with or without its method. */
function isTitle({ title }: SiteDocument, words: readonly string[]): boolean {
  const query = words.join(' ')
  return query === getWords(title).join(' ') || query === getWords(title.replace(/^[A-Z]+ \//, '/')).join(' ')
}

/** Returns the first results, in the same order. The best of every section are among them, so that guides don't crowd out errors. */
function limit<Result>(ranked: readonly Result[], toSection: (result: Result) => string): Result[] {
  const best = [...Map.groupBy(ranked, toSection).values()].flatMap((results) => results.slice(0, reservedPerSection))
  const kept = new Set([...new Set([...best, ...ranked])].slice(0, maxResults))
  return ranked.filter((result) => kept.has(result))
}

/**
 * Returns the pages that contain all words of a query, or words that start with them, each with its best section. A page whose title is the query comes first,
 * then guides, endpoints, errors and terms, each by relevance.
 */
export async function search(query: string, facts: DocsData): Promise<SearchResult[]> {
  const words = getWords(query.slice(0, maxQueryLength)).slice(0, maxWords)
  if (words.length === 0) return []
  const { parts, words: index } = await getIndex(facts)
  const pages = new Map<SiteDocument, { part: Part; score: number }>()
  // Sections come best first, so the first one of a page is shown. Pages that match in several sections rank higher.
  for (const { id, score } of index.search(words.join(' '))) {
    const part = parts[Number(id)]
    if (!part) continue
    const page = pages.get(part.document)
    if (page) page.score += score
    else pages.set(part.document, { part, score })
  }
  const place = (document: SiteDocument) => (isTitle(document, words) ? -1 : sections.indexOf(document.section))
  const ranked = [...pages.values()].sort((a, b) => place(a.part.document) - place(b.part.document) || b.score - a.score)
  return limit(ranked, (page) => page.part.document.section).map(({ part: { document, heading, text } }) => {
    const { path, title, section } = document
    return { path, title, section, heading: isTitle(document, words) ? '' : heading, excerpt: getExcerpt(text, words) }
  })
}
