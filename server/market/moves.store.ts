import type { PoolClient } from 'pg'
import type { Dataset } from './dataset.ts'
import type { RateMove } from './walk.ts'

/** Days for which a walk through the rates keeps its order. A cursor that is older goes on in the order of now. */
const walkDays = 2

// A walk along the end of the primary key.
const movesSql = `SELECT seq::float8 AS seq, source_key AS "sourceKey", previous_rate_bp AS "fromBp" FROM rate_change
  WHERE dataset = $1 AND effective_date >= $2::date - $3::int AND previous_rate_bp <> coalesce(rate_bp, -1)`

/** The rates that products had before, as far back as a walk may have begun. `today` is the ISO date in London. */
export async function readMoves(client: PoolClient, dataset: Dataset, today: string): Promise<RateMove[]> {
  return (await client.query<RateMove>(movesSql, [dataset, today, walkDays])).rows
}
