import { account } from './account.ts'
import { alerts } from './alerts.ts'
import { authentication } from './authentication.ts'
import { billing } from './billing.ts'
import { calculators } from './calculators.ts'
import { catalogue } from './catalogue.ts'
import { charging } from './charging.ts'
import { clients } from './clients.ts'
import { decisions } from './decisions.ts'
import { envelope } from './envelope.ts'
import { errors } from './errors.ts'
import { events } from './events.ts'
import { formats } from './formats.ts'
import { headers } from './headers.ts'
import { keys } from './keys.ts'
import { legacy } from './legacy.ts'
import { limits } from './limits.ts'
import { lists } from './lists.ts'
import { logos } from './logos.ts'
import { market } from './market.ts'
import { order } from './order.ts'
import { portal } from './portal.ts'
import { products } from './products.ts'
import { published } from './published.ts'
import { rates } from './rates.ts'
import { reference } from './reference.ts'
import { requests } from './requests.ts'
import { sharing } from './sharing.ts'
import { site } from './site.ts'
import { snapshots } from './snapshots.ts'
import { spending } from './spending.ts'
import { teams } from './teams.ts'
import { toolServer } from './tool-server.ts'
import { versioning } from './versioning.ts'
import { webhooks } from './webhooks.ts'

/** Requirements of each area, by file name. */
export const areas = {
  account,
  alerts,
  authentication,
  billing,
  calculators,
  catalogue,
  charging,
  clients,
  decisions,
  envelope,
  errors,
  events,
  formats,
  headers,
  keys,
  legacy,
  limits,
  lists,
  logos,
  market,
  order,
  portal,
  products,
  published,
  rates,
  reference,
  requests,
  sharing,
  site,
  snapshots,
  spending,
  teams,
  toolServer,
  versioning,
  webhooks,
}

/** Requirements by id. If two areas used the same id, one would silently replace the other here; the manifest test prevents this. */
export const requirements = {
  ...account,
  ...alerts,
  ...authentication,
  ...billing,
  ...calculators,
  ...catalogue,
  ...charging,
  ...clients,
  ...decisions,
  ...envelope,
  ...errors,
  ...events,
  ...formats,
  ...headers,
  ...keys,
  ...legacy,
  ...limits,
  ...lists,
  ...logos,
  ...market,
  ...order,
  ...portal,
  ...products,
  ...published,
  ...rates,
  ...reference,
  ...requests,
  ...sharing,
  ...site,
  ...snapshots,
  ...spending,
  ...teams,
  ...toolServer,
  ...versioning,
  ...webhooks,
}

export type RequirementId = keyof typeof requirements
