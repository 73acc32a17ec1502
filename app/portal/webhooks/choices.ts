import type { Choices } from '../../../components/portal/webhooks/webhook-fields.tsx'
import { accountTypeValues } from '../../../server/contract/account-types.ts'
import { events } from '../../../server/contract/events.ts'

/** What an endpoint can be told of. */
export const choices: Choices = {
  types: Object.entries(events).map(([name, { when }]) => ({ name, when })),
  accountTypes: accountTypeValues.filter((type) => type !== 'all'),
}
