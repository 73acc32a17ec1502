import type { PoolClient } from 'pg'
import type { Dataset } from './dataset.ts'
import type { Moves } from './moves.ts'
import type { Move } from './walk.ts'

/** Days for which a walk through a list keeps its order. A cursor that is older goes on in the order of now. */
const walkDays = 2

// A walk along the end of the primary key.
const ratesSql = `SELECT seq::float8 AS seq, source_key AS key, previous_rate_bp AS "from" FROM rate_change
  WHERE dataset = $1 AND effective_date >= $2::date - $3::int AND previous_rate_bp <> coalesce(rate_bp, -1)`

const placesSql = `SELECT list, seq::float8 AS seq, key, from_place AS "from" FROM place_move WHERE dataset = $1 AND at >= now() - make_interval(days => $2)`

/** The places that rows had before, as far back as a walk may have begun. `today` is the ISO date in London. */
export async function readMoves(client: PoolClient, dataset: Dataset, today: string): Promise<Moves> {
  const products = (await client.query<Move<number>>(ratesSql, [dataset, today, walkDays])).rows
  const { rows } = await client.query<Move<string> & { list: string }>(placesSql, [dataset, walkDays])
  const of = (table: string) => rows.flatMap(({ list, seq, key, from }) => (list === table ? [{ seq, key, from }] : []))
  const numbered = (table: string) => of(table).map((move) => ({ ...move, from: Number(move.from) }))
  return { products, providers: of('provider'), cards: numbered('card'), switchOffers: numbered('switch_offer') }
}
