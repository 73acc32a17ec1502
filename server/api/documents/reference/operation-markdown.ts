import { code, json, markdownCode, markdownTable } from '../docs/write-markdown.ts'
import type { OperationPage } from './operation-page.ts'

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
      ['Tool', code(tool)],
    ],
  )
}

function parametersTable({ parameters }: OperationPage): string {
  if (parameters.length === 0) return 'None.'
  const rows = parameters.map(({ name, in: where, isRequired, type, description, values }) => [
    code(name),
    where === 'path' ? 'path' : isRequired ? 'query, required' : 'query',
    type,
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

/** Returns the page of an endpoint as Markdown, without its title. */
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
