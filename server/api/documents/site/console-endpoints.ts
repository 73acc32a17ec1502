import { type Availability, defaultLimit, maximumLimit } from '#server/api/contract/endpoint.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { availabilityNow } from '../catalogue.ts'
import { exampleCall } from '../openapi/examples.ts'
import { getGroup } from '../openapi/names.ts'
import type { PublishedValues } from '../published-values.ts'
import { operationPath, operationSlug } from '../reference/operation-groups.ts'
import { operationPage } from '../reference/operation-page.ts'

type Entry = (typeof registry)[number]

/** Shortens a description to its first sentence. The full text is in the reference. */
const firstSentence = (text: string) => /^.*?[.](?= |$)/.exec(text)?.[0] ?? text

/** Initial `limit` of lists, small so that the response is easy to read. */
const initialLimit = 3

const isCallable = (entry: Entry, overrides: ReadonlyMap<string, Availability>) => entry.method === 'GET' && availabilityNow(entry, overrides) !== 'coming-soon'

/** Returns the groups of endpoints that the console can call: launched GET endpoints. */
export function consoleGroups(overrides: ReadonlyMap<string, Availability>) {
  const groups = Map.groupBy(
    registry.filter((one) => isCallable(one, overrides)),
    (entry) => getGroup(entry).name,
  )
  return [...groups].map(([name, entries]) => ({ name, endpoints: entries.map((entry) => ({ slug: operationSlug(entry), path: entry.path })) }))
}

/** Returns the endpoint with this slug, or the rates list if it is unknown. */
export async function consoleEndpoint(slug: string | undefined, facts: PublishedValues) {
  const callable = registry.filter((one) => isCallable(one, facts.overrides))
  const entry = callable.find((one) => operationSlug(one) === slug) ?? callable.find(({ id }) => id === 'rates.list') ?? callable[0]
  if (!entry) throw new Error('The console has no endpoint to call.')
  const { title, access, parameters, line } = await operationPage(entry, facts)
  const initial: Readonly<Record<string, string>> = {
    ...(entry.kind === 'list' && { limit: String(initialLimit) }),
    ...(await exampleCall(entry, facts))?.values,
  }
  return {
    slug: operationSlug(entry),
    href: operationPath(entry),
    path: entry.path,
    title,
    cost: line.cost,
    bounds: { credits: entry.price.credits, sizes: entry.price.per === 'row' ? { usual: defaultLimit, most: maximumLimit } : null },
    scope: line.scope,
    access,
    parameters: parameters.map(({ name, in: where, isRequired, description, values, example }) => ({
      name,
      in: where,
      isRequired,
      hint: firstSentence(description),
      /** Values to choose from; empty for free text. */
      values,
      /** Initial value, so that the call can be sent without changes. */
      initial: initial[name] ?? '',
      /** Example of a valid value; empty if none is known. */
      example: example ?? '',
    })),
  }
}
