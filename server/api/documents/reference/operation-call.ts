import { defaultLimit, maximumLimit } from '#server/api/contract/endpoint.ts'
import type { registry } from '#server/api/endpoints/registry.ts'
import type { PublishedValues } from '../published-values.ts'
import { operationPath } from './operation-groups.ts'
import type { OperationPage } from './operation-page.ts'
import { requestSamples } from './request-samples.ts'

type Entry = (typeof registry)[number]

/** Replaces the list of valid field names, which the page shows below, with a reference to it. */
const withoutNames = (description: string) => description.replace(/ Valid fields: .*$/, ' See the row fields below.')

/** Quoted values, paths, names such as `meta.limit` or `updatedAt`, and defaults. */
const literal = /"([^"\s]+)"|(?<=[\s(])\/[a-z][\w{}/-]*[\w}]|\b(?:meta\.\w+|[a-z]+[A-Z]\w*)\b|(?<=Default:? )[\w-]+(?=[.;])/g

/** Puts literals between backticks, unless they already are, so that the page shows them as code. */
const markLiterals = (description: string): string =>
  description
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part.replace(literal, (match, quoted: string | undefined) => `\`${quoted ?? match}\``) : `\`${part}\``))
    .join('')

/**
 * Returns the data for calling an endpoint from its page: parameters, price and code samples. The samples contain `mark` in place of the path and query, which
 * the browser replaces with the target of the form.
 */
export function operationCall(entry: Entry, { parameters, values }: OperationPage, { publicUrl }: PublishedValues, mark: string) {
  return {
    href: operationPath(entry),
    path: entry.path,
    bounds: { credits: entry.price.credits, sizes: entry.price.per === 'row' ? { usual: defaultLimit, most: maximumLimit } : null },
    parameters: parameters.flatMap(({ description, example, in: where, ...parameter }) =>
      where === 'body'
        ? []
        : [
            {
              ...parameter,
              in: where,
              description: markLiterals(parameter.name === 'fields' ? withoutNames(description) : description),
              /** Example of a valid value; empty if none is known. */
              example: example ?? '',
            },
          ],
    ),
    /** Values of the example call, so that it can be sent without changes. */
    initial: values,
    samples: requestSamples(`${publicUrl}/v1${mark}`, entry.kind),
  }
}
