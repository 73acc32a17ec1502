import { calculateIsaAllowance } from './calculators/calculate-isa-allowance.endpoint.ts'
import { calculateRegularSaver } from './calculators/calculate-regular-saver.endpoint.ts'
import { calculateSavingsGrowth } from './calculators/calculate-savings-growth.endpoint.ts'
import { calculateSavingsTax } from './calculators/calculate-savings-tax.endpoint.ts'
import { simulateBalance } from './calculators/simulate.endpoint.ts'
import { plannedEndpoints } from './planned/planned-endpoints.ts'
import { getRate } from './rates/get-rate.endpoint.ts'
import { getRateLink } from './rates/get-rate-link.endpoint.ts'
import { listRates } from './rates/list-rates.endpoint.ts'
import { listReferenceAccountTypes } from './reference/list-reference-account-types.endpoint.ts'
import { listReferenceCards } from './reference/list-reference-cards.endpoint.ts'
import { listReferenceCurrencies } from './reference/list-reference-currencies.endpoint.ts'
import { listReferenceFscs } from './reference/list-reference-fscs.endpoint.ts'
import { listReferenceProducts } from './reference/list-reference-products.endpoint.ts'
import { listReferenceProviders } from './reference/list-reference-providers.endpoint.ts'
import { me } from './service/me.endpoint.ts'
import { ping } from './service/ping.endpoint.ts'

/** Every endpoint of v1. All that is published about the service is computed from this list. */
export const registry = [
  ping,
  me,
  listReferenceProviders,
  listReferenceProducts,
  listReferenceCards,
  listReferenceCurrencies,
  listReferenceAccountTypes,
  listReferenceFscs,
  listRates,
  getRate,
  getRateLink,
  simulateBalance,
  calculateSavingsTax,
  calculateIsaAllowance,
  calculateSavingsGrowth,
  calculateRegularSaver,
  ...plannedEndpoints,
]
