import type { AlertBody, AlertRecord, AlertUpdate } from '#server/api/contract/alert-records.ts'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import type { NewAlert } from '#server/api/contract/market-alerts.ts'
import type { OwnAlerts } from '#server/api/contract/own-account.ts'
import type { AlertFilter } from './alert-deps.ts'
import { readFilter } from './alert-form.ts'
import { type AlertManaging, type AlertOwner, createAlert, deleteAlert, pauseAlert, resumeAlert, updateAlert } from './manage-alerts.ts'
import { getAlert, getAlerts, type ShownAlert } from './read-alerts.ts'

const toRecord = ({ id, name, kind, filter, providers, frequency, byEmail, byWebhook, isPaused, createdAt, lastNotifiedAt }: ShownAlert): AlertRecord => ({
  ...{ id, name, kind, providers, frequency },
  filter: new URLSearchParams(filter).toString(),
  email: byEmail,
  webhook: byWebhook,
  state: isPaused ? 'paused' : 'active',
  createdAt: createdAt.toISOString(),
  lastFoundAt: lastNotifiedAt?.toISOString() ?? null,
})

/** Converts a query string to filters. @throws FieldsError if a name is repeated */
function toFilter(text: string): AlertFilter {
  const { filter, fault } = readFilter(text)
  if (fault !== null) throw new FieldsError({ filter: fault })
  return filter
}

const toSettings = ({ filter, email, webhook, ...body }: AlertBody): NewAlert => ({ ...body, filter: toFilter(filter), byEmail: email, byWebhook: webhook })

/** Returns only the settings that a call changes. */
function toChanges({ filter, email, webhook, ...changes }: Omit<AlertUpdate, 'state'>): Partial<NewAlert> {
  const all = { ...changes, filter: filter === undefined ? undefined : toFilter(filter), byEmail: email, byWebhook: webhook }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** Converts the portal's name of a field to the API's. */
async function rename<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof FieldsError && error.faults['delivery'] !== undefined)) throw error
    const { delivery: email, ...faults } = error.faults
    throw new FieldsError({ ...faults, email })
  }
}

/** Account and mode of a key that manages alerts. `findOwner` counts a change towards the hourly limit and returns the owner of the alerts. */
type Access = { readonly accountId: number; readonly mode: Mode; readonly findOwner: () => Promise<AlertOwner> }

/** Returns the API's functions for an account's alerts in one mode. They call the portal's functions, and run one statement at a time. */
export function ownAlerts(deps: AlertManaging, { accountId, mode, findOwner }: Access): OwnAlerts {
  const get = async (id: string) => toRecord(await getAlert(deps.pool, accountId, mode, id))
  const update = async (owner: AlertOwner, id: string, { state, ...changes }: AlertUpdate) => {
    const before = await get(id)
    const given = toChanges(changes)
    // Applied to the settings as read after locking the alert, so that a concurrent change isn't lost.
    if (Object.keys(given).length > 0) await updateAlert(deps, owner, id, (current) => ({ ...current, providers: [...current.providers], ...given }))
    if (state === 'paused' && before.state === 'active') await pauseAlert(deps, owner, id)
    if (state === 'active' && before.state === 'paused') await resumeAlert(deps, owner, id)
    return get(id)
  }
  return {
    list: async () => (await getAlerts(deps.pool, accountId, mode)).map(toRecord),
    get,
    create: (body) => rename(async () => get((await createAlert(deps, await findOwner(), toSettings(body))).id)),
    update: (id, change) => rename(async () => update(await findOwner(), id, change)),
    delete: async (id) => {
      await deleteAlert(deps, await findOwner(), id)
      return { id, deleted: true }
    },
  }
}
