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

/** Escapes LIKE wildcards in search text. */
const containing = (word: string) => `%${word.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

// Bytewise collation: locale-aware lower-casing takes ten times as long over all products.
const searched = `lower((p.source_key || ' ' || p.account_name || ' ' || v.name || ' ' || p.account_type) COLLATE "C")`

/** Live products ordered by key, after a given key, whose key, name, provider or type contain every word. */
export async function findProducts(pool: Pool, words: readonly string[], isCorrected: boolean, after: string, limit: number): Promise<FoundRow[]> {
  const { rows } = await pool.query<FoundRow>(
    `SELECT p.source_key AS "sourceKey", p.account_name AS "accountName", p.account_type AS "accountType", v.name AS provider, p.rate_bp AS "rateBp",
       p.withdrawn_at IS NULL AND v.active AS "isListed", c.id IS NOT NULL AS "isCorrected"
     FROM product p JOIN provider v ON v.dataset = p.dataset AND v.slug = p.provider_slug
     LEFT JOIN product_correction c ON c.dataset = p.dataset AND c.source_key = p.source_key AND c.ended_at IS NULL
     WHERE p.dataset = 'live' AND p.source_key > $1 AND ${searched} LIKE ALL ($2::text[]) AND (NOT $3 OR c.id IS NOT NULL)
     ORDER BY p.source_key LIMIT $4`,
    [after, words.map(containing), isCorrected, limit],
  )
  return rows
}

/** Name of a provider, active or not; undefined if the slug is unknown. */
export async function providerName(pool: Pool, slug: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ name: string }>("SELECT name FROM provider WHERE dataset = 'live' AND slug = $1", [slug])
  return rows[0]?.name
}
