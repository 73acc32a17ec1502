import { accountCatalogue, type CatalogueLine, catalogue } from '../catalogue.ts'
import { chargingList, limitTable, marketCostTable } from '../docs/guide-tables.ts'
import { code, json, markdownCode, markdownList, markdownTable } from '../docs/write-markdown.ts'
import type { ErrorPage } from '../error-texts.ts'
import type { DocsData } from '../published-values.ts'
import { operationGroups, operationPath } from '../reference/operation-groups.ts'
import type { OperationPage } from '../reference/operation-page.ts'

const sentence = (...parts: readonly string[]) => parts.filter((part) => part !== '').join(' ')

const listed = (values: readonly string[]) => (values.length === 0 ? '' : `One of ${values.map(code).join(', ')}.`)

function factsTable({ line, tool, access }: OperationPage): string {
  return markdownTable(
    ['', ''],
    [
      ['Call', code(`${line.method} ${line.path}`)],
      ['Cost', line.money === null ? line.cost : `${line.cost} (${line.money})`],
      ['Scope', line.scope],
      ['Availability', access],
      ...(tool === '' ? [] : [['Tool', code(tool)]]),
    ],
  )
}

function parametersTable({ parameters }: OperationPage): string {
  if (parameters.length === 0) return 'None.'
  const rows = parameters.map(({ name, in: where, isRequired, type, range, description, values }) => [
    code(name),
    where === 'path' ? 'path' : `${where}${isRequired ? ', required' : ''}`,
    range === '' ? type : `${type}, ${range}`,
    sentence(description, listed(values)),
  ])
  return markdownTable(['Name', 'In', 'Type', ''], rows)
}

function answerPart({ answer, isList, fields }: OperationPage): string[] {
  if (answer === null) return []
  const rows = fields.map(({ name, type, description, values, isOptional }) => [
    code(name),
    isOptional ? `${type}, optional` : type,
    sentence(description, listed(values)),
  ])
  return ['## Response', markdownCode('json', json(answer)), `## ${isList ? 'Row fields' : 'Response fields'}`, markdownTable(['Field', 'Type', ''], rows)]
}

/** Returns an endpoint's page as Markdown, without its title. */
export function operationMarkdown(page: OperationPage): string {
  const { requests, errors, description } = page
  const samples = requests.map(({ language, label, code: text }) => markdownCode(language, text, label)).join('\n\n')
  const errorRows = errors.map(({ code: name, status, when }) => [String(status), `[${code(name)}](/docs/errors/${name})`, when])
  return [
    ...(description === null ? [] : [description]),
    factsTable(page),
    '## Parameters',
    parametersTable(page),
    ...(samples === '' ? [] : ['## Request', samples]),
    ...answerPart(page),
    '## Errors',
    markdownTable(['Status', 'Code', 'When'], errorRows),
  ].join('\n\n')
}

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

const row = (line: CatalogueLine) => [
  `[${code(`${line.method} ${line.path}`)}](${operationPath(line)})`,
  line.money === null ? line.cost : `${line.cost} (${line.money})`,
  line.scope,
  [line.availability, ...(line.plan === null ? [] : [line.plan])].join(', '),
]

/** Returns the price list as Markdown, without its title. */
export function pricesMarkdown(facts: DocsData): string {
  const rows = [...catalogue(facts.overrides), ...accountCatalogue(facts.overrides)].map(row)
  const parts = [
    chargingList(),
    '## Read the whole market',
    marketCostTable(facts),
    '## Endpoints',
    markdownTable(['Endpoint', 'Cost', 'Scope', 'Availability'], rows),
  ]
  return [...parts, '## Limits', limitTable()].join('\n\n')
}

/** Returns an error's page as Markdown, without its title. */
export function errorMarkdown({ status, why, next, page, fields, example }: ErrorPage): string {
  const rows = fields.map(({ name, text }) => [code(name), text])
  return [
    `HTTP status ${status}. Never charged.`,
    `## Why\n\n${why}`,
    `## What to do next\n\n${markdownList(page === null ? next : [...next, `[${page.label}](${page.href})`])}`,
    `## Extra fields\n\n${rows.length === 0 ? 'None beyond the four fields that every error has.' : markdownTable(['Field', ''], rows)}`,
    `## Example response\n\n${markdownCode('json', json(example))}`,
  ].join('\n\n')
}
