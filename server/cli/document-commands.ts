import type { Command } from 'commander'
import type { DocumentName } from '#server/api/documents/published-facts.ts'
import { onDatabase } from './context.ts'
import { writeText } from './output.ts'

/** Prints a document and nothing around it, with `--json` or without. What makes it is loaded only now: no other command should wait for it. */
async function print(name: DocumentName): Promise<void> {
  const { documentText } = await import('./document-text.ts')
  await writeText(await onDatabase(({ pool }) => documentText(pool, name)))
}

export function addDocumentCommands(program: Command): void {
  program
    .command('openapi')
    .description('print the OpenAPI document that is served')
    .action(() => print('openapi'))
  program
    .command('postman')
    .description('print the Postman collection that is served')
    .action(() => print('postman'))
}
