import type { DocsData } from '../docs/docs-data.ts'
import { code, markdownTable } from '../docs/write-markdown.ts'
import { operationGroups } from '../reference/operation-groups.ts'

/** Returns the list of endpoints as Markdown, without its title. */
export function referenceMarkdown({ overrides }: DocsData): string {
  const parts = operationGroups(overrides).map(({ name, description, operations }) => {
    const rows = operations.map(({ method, path, href, summary, cost, availability }) => [
      `[${code(`${method} ${path}`)}](${href})`,
      summary,
      cost,
      availability,
    ])
    return [`## ${name}`, description, markdownTable(['Endpoint', 'Description', 'Cost', 'Availability'], rows)].join('\n\n')
  })
  return parts.join('\n\n')
}
