import type { AlertFilter, FilterParser } from '#server/alerts/alert-deps.ts'
import { invalid, RefusedError } from '#server/api/contract/errors.ts'
import { alertFilterNames } from '#server/api/contract/market-alerts.ts'
import { suggestion } from '#server/api/contract/nearest.ts'
import { listRates } from '#server/api/endpoints/rates/list-rates.endpoint.ts'
import { convertFilters, type FilterInput, toFilters } from '#server/api/endpoints/rates/product-filters.ts'
import type { PipelineEndpoint } from '#server/api/pipeline/call.ts'
import { readParameters } from '#server/api/pipeline/validate.ts'

const known: ReadonlySet<string> = new Set(alertFilterNames)

/** Parses filters with the parser of /rates. @throws RefusedError (400) that names the parameter */
function parse(filter: AlertFilter): FilterInput {
  const unknown = Object.keys(filter).find((name) => !known.has(name))
  if (unknown !== undefined)
    throw invalid(`Unknown filter "${unknown.slice(0, 60)}".${suggestion(unknown, alertFilterNames)} Valid filters: ${alertFilterNames.join(', ')}.`)
  const search = new URLSearchParams(filter).toString()
  const endpoint: PipelineEndpoint = listRates
  return readParameters(endpoint, { endpoint, allow: null, path: {}, search, target: '', hint: '' }).input as FilterInput
}

/** Filters of market alerts: the parameters of /rates, parsed and checked by the same code. */
export const alertFilters: FilterParser = {
  findFault: (filter, market) => {
    try {
      toFilters(parse(filter), market)
      return null
    } catch (error) {
      // Caught here rather than by the caller, because Next's bundle has its own copy of the class.
      if (error instanceof RefusedError) return error.refusal.message
      throw error
    }
  },
  convert: (filter) => convertFilters(parse(filter)),
}
