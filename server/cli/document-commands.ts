import type { Command } from 'commander'
import type { DocumentName } from '#server/api/documents/published-values.ts'
import { onDatabase } from './context.ts'
import { writeText } from './output.ts'

/** Prints a document without any other output, with or without `--json`. Loads the generator lazily, so that other commands start faster. */
async function print(name: DocumentName): Promise<void> {
  const { documentText } = await import('./document-text.ts')
  await writeText(await onDatabase(({ pool }) => documentText(pool, name)))
}

export function addDocumentCommands(program: Command): void {
  program
    .command('openapi')
    .description('print the served OpenAPI document')
    .action(() => print('openapi'))
  program
    .command('postman')
    .description('print the served Postman collection')
    .action(() => print('postman'))
}
