import { lexer, type Token, type Tokens } from 'marked'
import { siteDocuments } from '#server/api/documents/site/site-documents.ts'

/** Code block of a page. `words` are the words that follow the language on its opening line. */
export type CodeBlock = { readonly path: string; readonly language: string; readonly words: readonly string[]; readonly code: string }

/** Returns the Markdown that the service serves for each page of the documentation, by path. */
export async function readTexts(origin: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const { path } of siteDocuments) {
    const response = await fetch(`${origin}${path}.md`)
    if (response.status !== 200) throw new Error(`${path}.md returned ${response.status}.`)
    texts.set(path, await response.text())
  }
  return texts
}

/** Returns all tokens of a document, including nested ones. */
export function getTokens(text: string): Token[] {
  const inside = (token: Token): Token[] => {
    const parts = 'tokens' in token && token.tokens ? token.tokens : []
    const items = token.type === 'list' ? (token as Tokens.List).items : []
    return [token, ...[...parts, ...items].flatMap(inside)]
  }
  return lexer(text).flatMap(inside)
}

/** Returns the code blocks of all pages. */
export function getBlocks(texts: ReadonlyMap<string, string>): CodeBlock[] {
  return [...texts].flatMap(([path, text]) =>
    getTokens(text).flatMap((token) => {
      if (token.type !== 'code') return []
      const [language = '', ...words] = ((token as Tokens.Code).lang ?? '').split(' ')
      return [{ path, language, words, code: (token as Tokens.Code).text }]
    }),
  )
}

/** Returns the code blocks of all pages in one language. */
export const blocksIn = (texts: ReadonlyMap<string, string>, language: string): CodeBlock[] => getBlocks(texts).filter((block) => block.language === language)

const entities: Readonly<Record<string, string>> = { '&quot;': '"', '&#x27;': "'", '&lt;': '<', '&gt;': '>', '&amp;': '&' }

/** Returns the contents of all code blocks that a page shows. */
export function codeOnPage(html: string): string[] {
  return [...html.matchAll(/<pre\b[^>]*>([\s\S]*?)<\/pre>/g)].map(([, inside = '']) =>
    inside.replace(/<[^>]*>/g, '').replace(/&(?:quot|#x27|lt|gt|amp);/g, (entity) => entities[entity] ?? ''),
  )
}
