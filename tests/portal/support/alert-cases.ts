import fc from 'fast-check'
import type { Member, PortalFixture } from './portal-fixture.ts'
import { getData } from './visitor.ts'

type MutationCase = (actor: { readonly fixture: PortalFixture; readonly member: Member }) => Promise<object>

/** Input of the form for an alert. */
export const anAlert = {
  name: 'Above 1%',
  kind: 'products',
  type: '',
  minRate: '1',
  provider: '',
  q: '',
  filter: '',
  providers: '',
  frequency: 'immediate',
  delivery: ['email'],
}

/** Creates an alert and returns its id. */
export const createAlert = async ({ visitor }: Member): Promise<string> => getData(await visitor.call('alerts.create', 'mutation', anAlert)).id

/** Valid inputs of procedures that take the id of an alert. */
export const alertInputs: Readonly<Record<string, (id: string) => object>> = {
  'alerts.read': (id) => ({ id }),
  'alerts.update': (id) => ({ ...anAlert, id, frequency: 'daily' }),
  'alerts.pause': (id) => ({ id }),
  'alerts.resume': (id) => ({ id }),
  'alerts.delete': (id) => ({ id }),
}

/** Deletes all alerts, because their number is limited, and creates one, active or paused. */
const withAlert = (input: (id: string) => object, isPaused = false): fc.Arbitrary<MutationCase> =>
  fc.constant(async ({ fixture, member }) => {
    await fixture.sql('DELETE FROM market_alert WHERE account_id = $1', [member.id])
    const id = await createAlert(member)
    // Resuming an active alert changes nothing.
    if (isPaused) await member.visitor.call('alerts.pause', 'mutation', { id })
    return input(id)
  })

/** Valid inputs of the mutations of market alerts. */
export const alertCases: Readonly<Record<string, fc.Arbitrary<MutationCase>>> = {
  'alerts.create': withAlert(() => anAlert),
  ...Object.fromEntries(
    Object.entries(alertInputs)
      .filter(([name]) => name !== 'alerts.read')
      .map(([name, toInput]) => [name, withAlert(toInput, name === 'alerts.resume')]),
  ),
}
