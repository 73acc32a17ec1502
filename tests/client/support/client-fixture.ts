import { expect } from 'vitest'
import { SavingsRates } from '#client/savings-rates.ts'
import { SavingsRatesError } from '#client/savings-rates-error.ts'
import { type Caller, Fixture } from '../../v1/support/fixture.ts'

type Options = Partial<ConstructorParameters<typeof SavingsRates>[0]>

/** Client option that skips the pauses between attempts. */
export const quickly = { wait: async () => {} }

/** Test server with clients and access to the charges for their calls. */
export class ClientFixture extends Fixture {
  constructor() {
    super('lean')
  }

  client({ key }: Pick<Caller, 'key'>, options: Options = {}): SavingsRates {
    return new SavingsRates({ apiKey: key, baseUrl: this.service.api, ...options })
  }

  /** Returns an account's charged credits and number of calls. */
  async logged({ account }: Caller): Promise<{ credits: number; calls: number }> {
    const [row] = await this.sql<{ credits: string; calls: string }>(
      'SELECT coalesce(sum(credits), 0) AS credits, count(*) AS calls FROM request_log WHERE account_id = $1',
      [account.id],
    )
    return { credits: Number(row?.credits), calls: Number(row?.calls) }
  }
}

/** Returns the error of a failed call. */
export async function failure(call: Promise<unknown>): Promise<SavingsRatesError> {
  const error = await call.then(
    () => expect.unreachable('The call succeeded.'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof SavingsRatesError)) throw error
  return error
}

/** Iterates to the end and returns all rows. */
export async function all<Row>(paginate: AsyncIterable<Row>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of paginate) rows.push(row)
  return rows
}
