import type { PoolClient } from 'pg'
import type { Dataset } from './dataset.ts'
import type { Move } from './keyset-pager.ts'
import type { Moves } from './moves.ts'

/** Days for which keyset pagination keeps its order. An older cursor continues in the current order. */
const cursorDays = 2

// Index range scan at the end of the primary key.
const ratesSql = `SELECT seq::float8 AS seq, source_key AS key, previous_rate_bp AS "from" FROM rate_change
  WHERE dataset = $1 AND effective_date >= $2::date - $3::int AND previous_rate_bp <> coalesce(rate_bp, -1)`

const placesSql = `SELECT list, seq::float8 AS seq, key, from_place AS "from" FROM place_move WHERE dataset = $1 AND at >= now() - make_interval(days => $2)`

/** Previous sort values of rows, as far back as a valid cursor can reach. `today` is the ISO date in London. */
export async function readMoves(client: PoolClient, dataset: Dataset, today: string): Promise<Moves> {
  const products = (await client.query<Move<number>>(ratesSql, [dataset, today, cursorDays])).rows
  const { rows } = await client.query<Move<string> & { list: string }>(placesSql, [dataset, cursorDays])
  const of = (table: string) => rows.flatMap(({ list, seq, key, from }) => (list === table ? [{ seq, key, from }] : []))
  const numbered = (table: string) => of(table).map((move) => ({ ...move, from: Number(move.from) }))
  return { products, providers: of('provider'), cards: numbered('card'), switchOffers: numbered('switch_offer') }
}
