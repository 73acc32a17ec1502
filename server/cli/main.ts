import { type Command, CommanderError } from 'commander'
import { productName } from '#server/api/contract/product-name.ts'
import { databaseAdvice } from '#server/db/database-errors.ts'
import { addAccountCommands, addKeyCommands, addLedgerCommands, addRequestCommands } from './account-commands.ts'
import { addBackupCommands } from './backup-commands.ts'
import { addBillingCommands } from './billing-commands.ts'
import { addClusterCommands } from './cluster-commands.ts'
import { SvcCommand } from './context.ts'
import { addListenCommand } from './listen-command.ts'
import { addMarketCommands } from './market-commands.ts'
import { writeFault } from './output.ts'
import { addChangelogCommands, addDocumentCommands } from './publishing-commands.ts'
import { addWebhookCommands } from './webhook-commands.ts'

const program = new SvcCommand('svc').description(`Operate the ${productName}.`).option('--json', 'print one JSON document')

addAccountCommands(program)
addKeyCommands(program)
addRequestCommands(program)
addLedgerCommands(program)
addBillingCommands(program)
addMarketCommands(program)
addWebhookCommands(program)
addListenCommand(program)
addChangelogCommands(program)
addBackupCommands(program)
addDocumentCommands(program)
addClusterCommands(program)

/** Adds `--json` to every command, so that its position does not matter. */
function addJsonOption(command: Command): void {
  for (const child of command.commands) {
    child
      .option('--json', 'print one JSON document')
      .exitOverride()
      .configureOutput({ writeErr: () => undefined })
    addJsonOption(child)
  }
}
addJsonOption(program)
program.exitOverride().configureOutput({ writeErr: () => undefined })

/** Returns advice for a PostgreSQL error, searching the causes of the given error. */
function adviceFor(error: unknown): string | null {
  for (let one: unknown = error, depth = 0; one instanceof Error && depth < 4; one = one.cause, depth++) {
    const advice = databaseAdvice(one)
    if (advice !== null) return advice
  }
  return null
}

try {
  await program.parseAsync()
} catch (error) {
  const isHelp = error instanceof CommanderError && error.exitCode === 0
  if (!isHelp) {
    const advice = adviceFor(error)
    const details = { ...(error instanceof Error && 'lines' in error ? { lines: error.lines } : {}), ...(advice === null ? {} : { advice }) }
    const message = (error instanceof Error ? error.message : String(error)).replace(/^error: /, '')
    const isJson = process.argv.includes('--json')
    writeFault(advice === null || isJson ? message : `${message}\n${advice}`, details, isJson)
    process.exitCode = 1
  }
}
