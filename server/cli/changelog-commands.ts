import { type Command, InvalidArgumentError } from 'commander'
import { publishedChanges } from '#server/admin/changelog/changelog.ts'
import { type NewChange, publishChange } from '#server/admin/changelog/publish-change.ts'
import { tellKeyHolders } from '#server/admin/publishing/tell.ts'
import { type ChangeKind, changeKinds } from '#server/api/contract/changelog.ts'
import { catalogue } from '#server/api/documents/catalogue.ts'
import { withDatabase } from './context.ts'
import { commaList, oneOf } from './parse.ts'

function endpointList(text: string): string[] {
  const ids = commaList(text)
  const known = new Set(catalogue().map(({ id }) => id))
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined) throw new InvalidArgumentError(`"${unknown}" is not the id of an endpoint, such as rates.list.`)
  return ids
}

const kinds = Object.keys(changeKinds) as [ChangeKind, ...ChangeKind[]]

type Publish = { kind: ChangeKind; title: string; text: string; endpoint: string[] }

function addPublish(changelog: Command): void {
  changelog
    .command('publish')
    .description('announce a change: on the page and in the feed at once, and by mail to every account with an active key')
    .requiredOption('--kind <kind>', kinds.join(', '), oneOf(kinds))
    .requiredOption('--title <title>', 'one line')
    .requiredOption('--text <text>', 'Markdown: paragraphs, lists, links, code between backticks')
    .option('--endpoint <ids>', 'ids of the endpoints that it is about, with commas between them', endpointList, [])
    .action(({ kind, title, text, endpoint }: Publish, command: Command) =>
      withDatabase(command, async ({ pool }) => {
        const change: NewChange = { kind, title, body: text, endpointIds: endpoint }
        const { entry, told, isNew } = await publishChange(pool, change, tellKeyHolders)
        const line = isNew
          ? `${entry.id} is published; ${told} accounts are told by mail.`
          : `${entry.id} says the same already. Nothing was changed, and nobody is told again.`
        return { result: { ...entry, mails: told, new: isNew }, lines: [line] }
      }),
    )
}

export function addChangelogCommands(program: Command): void {
  const changelog = program.command('changelog').description('what callers are told of')
  addPublish(changelog)
  changelog
    .command('list')
    .description('what is published, newest first')
    .action((_options: object, command: Command) =>
      withDatabase(command, async ({ pool }) => {
        const entries = await publishedChanges(pool)
        return { result: { entries }, lines: entries.map(({ id, kind, title }) => `${id}  ${changeKinds[kind]}: ${title}`) }
      }),
    )
}
