import { LRUCache } from 'lru-cache'
import MiniSearch from 'minisearch'
import type { Condition, ProductTable } from './product-table.ts'

/** Number of searches whose result is cached: one byte per product and search. */
const maxSearches = 50

/** Maximum number of words in a search; further words are ignored. */
const maxWords = 8

/** Splits text into lower-case words without accents. */
const toWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/['’\p{M}]/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** Returns the distinct words of a search in alphabetical order, because word order doesn't matter. */
const searchedWords = (text: string): string[] => [...new Set(toWords(text))].slice(0, maxWords).sort()

/** Returns the same string for all searches for the same words. */
export const normaliseSearch = (text: string): string => searchedWords(text).join(' ')

/** Number of typos accepted in a word. Short words differ too little from each other. */
function maxTypos(word: string): number {
  if (word.length < 4) return 0
  return word.length < 7 ? 1 : 2
}

/** Combines the masks of words. */
function getMask(ids: readonly number[], masks: Uint8Array): number {
  let mask = 0
  for (const id of ids) mask |= masks[id] ?? 0
  return mask
}

/** Words of the account and provider names of a market. Searches only the distinct words, so the time hardly depends on the number of products. */
export class NameSearch {
  readonly #table: ProductTable
  readonly #words = new Map<string, number>()
  readonly #index = new MiniSearch<{ id: number; word: string }>({ fields: ['word'], tokenize: (word) => [word], processTerm: (word) => word })
  readonly #wordsOf = new Map<string, readonly number[]>()
  readonly #found = new LRUCache<string, Condition>({ max: maxSearches })

  constructor(table: ProductTable) {
    this.#table = table
    for (const { accountName, provider } of table.rows) {
      this.#add(accountName)
      this.#add(provider)
    }
    this.#index.addAll([...this.#words].map(([word, id]) => ({ id, word })))
  }

  #add(name: string): void {
    if (this.#wordsOf.has(name)) return
    const ids = toWords(name).map((word) => {
      const id = this.#words.get(word) ?? this.#words.size
      this.#words.set(word, id)
      return id
    })
    this.#wordsOf.set(name, ids)
  }

  /** Returns the words that match a search word: those that start with it or, if there are none, those within the allowed number of typos. */
  #meanings(word: string): readonly number[] {
    const find = (options: { prefix?: boolean; fuzzy?: number }) => this.#index.search(word, options).map(({ id }) => id as number)
    const exact = find({ prefix: true })
    return exact.length > 0 ? exact : find({ fuzzy: maxTypos(word) })
  }

  /** Returns the condition that every word of the text is in the account name or the provider name. */
  where(text: string): Condition {
    const known = this.#found.get(text)
    if (known) return known
    const condition = this.#find(text)
    this.#found.set(text, condition)
    return condition
  }

  #find(text: string): Condition {
    const searched = searchedWords(text)
    // Bit n of a mask is set if the name contains word n of the search.
    const masks = new Uint8Array(this.#words.size)
    for (const [bit, word] of searched.entries()) {
      for (const id of this.#meanings(word)) masks[id] = (masks[id] ?? 0) | (1 << bit)
    }
    const toMask = (name: string) => getMask(this.#wordsOf.get(name) ?? [], masks)
    const [accounts, providers] = [this.#table.column('accountName'), this.#table.column('provider')]
    const [accountMasks, providerMasks] = [accounts.map(toMask), providers.map(toMask)]
    const all = searched.length === 0 ? -1 : (1 << searched.length) - 1
    const accepted = new Uint8Array(this.#table.rows.length)
    for (let place = 0; place < accepted.length; place++) {
      const mask = (accountMasks[accounts.codes[place] ?? 0] ?? 0) | (providerMasks[providers.codes[place] ?? 0] ?? 0)
      accepted[place] = Number(mask === all)
    }
    return this.#table.whereRow(accepted, text)
  }
}
