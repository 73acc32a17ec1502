import { InvalidArgumentError } from 'commander'
import { type NewChange, publishChange, publishedChanges } from '#server/admin/changelog/changelog.ts'
import { notifyKeyHolders } from '#server/admin/publishing/availability.ts'
import { type ChangeKind, changeKinds } from '#server/api/contract/changelog.ts'
import { isEndpointId } from '#server/api/documents/catalogue.ts'
import type { DocumentName } from '#server/api/documents/published-values.ts'
import { commaList, onDatabase, oneOf, type SvcCommand } from './context.ts'
import { writeText } from './output.ts'

/** Prints a document without any other output, with or without `--json`. Loads the generator lazily, so that other commands start faster. */
async function print(name: DocumentName): Promise<void> {
  const { documentText } = await import('./document-text.ts')
  await writeText(await onDatabase(({ pool }) => documentText(pool, name)))
}

export function addDocumentCommands(program: SvcCommand): void {
  program.sub('openapi', 'print the served OpenAPI document').action(() => print('openapi'))
  program.sub('postman', 'print the served Postman collection').action(() => print('postman'))
  program.sub('postman-environment', 'print the served Postman environment').action(() => print('postman-environment'))
}

function endpointList(text: string): string[] {
  const ids = commaList(text)
  const unknown = ids.find((id) => !isEndpointId(id))
  if (unknown !== undefined) throw new InvalidArgumentError(`"${unknown}" is not an endpoint id. Example: rates.list.`)
  return ids
}

const kinds = Object.keys(changeKinds) as [ChangeKind, ...ChangeKind[]]

type Publish = { kind: ChangeKind; title: string; text: string; endpoint: string[] }

function addPublish(changelog: SvcCommand): void {
  changelog
    .sub('publish', 'publish a change on the changelog page and in the feed, and email every account with an active key')
    .requiredOption('--kind <kind>', kinds.join(', '), oneOf(kinds))
    .requiredOption('--title <title>', 'one line')
    .requiredOption('--text <text>', 'Markdown: paragraphs, lists, links, inline code')
    .option('--endpoint <ids>', 'comma-separated ids of the affected endpoints', endpointList, [])
    .onDatabase(async ({ kind, title, text, endpoint }: Publish, { pool }) => {
      const change: NewChange = { kind, title, body: text, endpointIds: endpoint }
      const { entry, recipientCount, isNew } = await publishChange(pool, change, notifyKeyHolders)
      const line = isNew
        ? `Published ${entry.id}. ${recipientCount} accounts will be emailed.`
        : `${entry.id} already exists with the same content. Nothing was published or sent.`
      return { result: { ...entry, mails: recipientCount, new: isNew }, lines: [line] }
    })
}

export function addChangelogCommands(program: SvcCommand): void {
  const changelog = program.sub('changelog', 'manage changelog entries')
  addPublish(changelog)
  changelog.sub('list', 'list published entries, newest first').onDatabase(async (_options: object, { pool }) => {
    const entries = await publishedChanges(pool)
    return { result: { entries }, lines: entries.map(({ id, kind, title }) => `${id}  ${changeKinds[kind]}: ${title}`) }
  })
}
