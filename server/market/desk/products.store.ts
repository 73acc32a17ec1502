import type { Pool } from 'pg'

export type FoundRow = {
  sourceKey: string
  accountName: string
  accountType: string
  provider: string
  rateBp: number
  isListed: boolean
  isCorrected: boolean
}

/** What is typed is looked for as it is: a sign of a pattern means itself. */
const containing = (word: string) => `%${word.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

// By the bytes: the rules of a language for capitals would take ten times as long, over every product there is.
const searched = `lower((p.source_key || ' ' || p.account_name || ' ' || v.name || ' ' || p.account_type) COLLATE "C")`

/** Products of the live market in order of their key, from behind one on, whose key, name, provider or type hold every word. */
export async function findProducts(pool: Pool, words: readonly string[], isCorrected: boolean, after: string, most: number): Promise<FoundRow[]> {
  const { rows } = await pool.query<FoundRow>(
    `SELECT p.source_key AS "sourceKey", p.account_name AS "accountName", p.account_type AS "accountType", v.name AS provider, p.rate_bp AS "rateBp",
       p.withdrawn_at IS NULL AND v.active AS "isListed", c.id IS NOT NULL AS "isCorrected"
     FROM product p JOIN provider v ON v.dataset = p.dataset AND v.slug = p.provider_slug
     LEFT JOIN product_correction c ON c.dataset = p.dataset AND c.source_key = p.source_key AND c.ended_at IS NULL
     WHERE p.dataset = 'live' AND p.source_key > $1 AND ${searched} LIKE ALL ($2::text[]) AND (NOT $3 OR c.id IS NOT NULL)
     ORDER BY p.source_key LIMIT $4`,
    [after, words.map(containing), isCorrected, most],
  )
  return rows
}

/** Names of providers by slug, active or not; undefined when there is none. */
export async function providerName(pool: Pool, slug: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ name: string }>("SELECT name FROM provider WHERE dataset = 'live' AND slug = $1", [slug])
  return rows[0]?.name
}
