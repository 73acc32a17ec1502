import { type CatalogueLine, catalogue } from '../catalogue.ts'
import type { DocsData } from '../docs/docs-data.ts'
import { chargingList, limitTable } from '../docs/guide-tables.ts'
import { code, markdownTable } from '../docs/write-markdown.ts'
import { operationPath } from '../reference/operation-slug.ts'

const row = (line: CatalogueLine) => [
  `[${code(`${line.method} ${line.path}`)}](${operationPath(line)})`,
  line.money === null ? line.cost : `${line.cost} (${line.money})`,
  line.scope,
  [line.availability, ...(line.plan === null ? [] : [line.plan])].join(', '),
]

/** Returns the price list as Markdown, without its title. */
export function pricesMarkdown({ overrides }: DocsData): string {
  const rows = catalogue(overrides).map(row)
  return [chargingList(), '## Endpoints', markdownTable(['Endpoint', 'Cost', 'Scope', 'Availability'], rows), '## Limits', limitTable()].join('\n\n')
}
