/** Generates the models and methods of the Python client from the OpenAPI document. */
import { type Document, document, isPaged, type Launched, launched, type Operation, type Schema } from './client-document.ts'
import { pythonErrors } from './python-errors.ts'
import { literal, pythonModels, referenced, scalars } from './python-models.ts'
import { docstring, quoted, snake } from './python-names.ts'

const notice = '# Made by `npm run client:generate` from the OpenAPI document of the service. Do not edit.\n'

type Parameter = Operation['parameters'][number]
type Argument = {
  readonly name: string
  readonly sent: string
  readonly type: string
  readonly place: 'path' | 'query' | 'body'
  readonly isRequired: boolean
  readonly text: string
}

const getData = ({ responses }: Operation): Schema => (responses['200']?.content?.['application/json']?.schema?.properties?.data ?? {}) as Schema

/** Returns the name of the record type that an operation returns; for a list, that of its rows. */
function getRecord(operation: Operation): string {
  const { $ref, items } = getData(operation)
  return referenced($ref ?? items?.$ref ?? items?.anyOf?.[0]?.$ref ?? '')
}

const textTypes: Readonly<Record<string, string>> = { date: 'Day', 'date-time': 'Time' }
const types: Readonly<Record<string, string>> = { integer: 'int', number: 'Amount', boolean: 'bool' }

function getType({ name, schema = {}, description = '' }: Parameter, record: string): string {
  if (name === 'fields') return `Sequence[${record}Field]`
  if (schema.enum) return `Literal[${schema.enum.map(String).map(quoted).join(', ')}]`
  if (schema.type === 'string') return textTypes[schema.format ?? ''] ?? (/comma/i.test(description) ? 'str | Sequence[str]' : 'str')
  return types[String(schema.type)] ?? 'str'
}

/** Returns the type of a field of a request body. */
function getBodyType({ type, enum: values, anyOf, items }: Schema): string {
  if (anyOf) return [...new Set(anyOf.map(getBodyType))].join(' | ')
  if (Array.isArray(type)) return type.map((one: string) => getBodyType({ type: one, ...(items && { items }) })).join(' | ')
  if (values) return literal(values)
  if (type === 'array') return `Sequence[${getBodyType(items ?? {})}]`
  return scalars[String(type)] ?? 'Mapping[str, Any]'
}

/** Returns the fields of the request body of an operation that changes something. */
function getBodyArguments({ requestBody }: Operation): Argument[] {
  const { properties = {}, required = [] } = requestBody?.content['application/json']?.schema ?? {}
  return Object.entries(properties).map(([name, schema]) => ({
    name: snake(name),
    sent: name,
    type: getBodyType(schema),
    place: 'body',
    isRequired: required.includes(name),
    text: schema.description ?? '',
  }))
}

/** Returns the arguments of a method: path parameters first, then those of the query, then the fields of the body. */
function getArguments(operation: Operation): Argument[] {
  const own = operation.parameters.filter(({ $ref, in: place }) => $ref === undefined && place !== 'header')
  const args = own.map(
    (one): Argument => ({
      name: snake(one.name),
      sent: one.name,
      type: getType(one, getRecord(operation)),
      place: one.in === 'path' ? 'path' : 'query',
      isRequired: one.required,
      // In Python, the fields are a list, and their names are in its type.
      text: one.name === 'fields' ? 'Fields to return in each row. Default: all.' : (one.description ?? ''),
    }),
  )
  return [...args.filter(({ place }) => place === 'path'), ...args.filter(({ place }) => place !== 'path'), ...getBodyArguments(operation)]
}

/** Formats an argument. In a body, null is a value, so that a missing field needs a separate default. */
function declaration({ name, type, place, isRequired }: Argument): string {
  if (isRequired) return `${name}: ${type}`
  return place === 'body' ? `${name}: ${type} | Unset = UNSET` : `${name}: ${type} | None = None`
}

/** Formats the parameters of a method, one per line. Path parameters can be positional. */
function signature(args: readonly Argument[], options: string): string {
  const [inPath, others] = [args.filter(({ place }) => place === 'path'), args.filter(({ place }) => place !== 'path')]
  const lines = ['self', ...inPath.map(declaration), '*', ...others.filter(({ isRequired }) => isRequired).map(declaration)]
  const rest = [...others.filter(({ isRequired }) => !isRequired).map(declaration), `options: ${options} | None = None`]
  return [...lines, ...rest].map((line) => `        ${line},\n`).join('')
}

const given = (args: readonly Argument[]) => `{${args.map(({ name, sent }) => `${quoted(sent)}: ${name}`).join(', ')}}`

function describe({ summary, description }: Operation, args: readonly Argument[]): string {
  return docstring(
    [summary, ...description.split('\n\n')],
    args.map(({ name, text }) => [name, text] as const).filter(([, text]) => text !== ''),
    '        ',
  )
}

function callMethod({ operation }: Launched, isAsync: boolean): string {
  const args = getArguments(operation)
  const isList = getData(operation).type === 'array'
  const answer = `Answer[${isList ? `list[${getRecord(operation)}], ListMeta` : `${getRecord(operation)}, Meta`}]`
  const name = snake(operation.operationId)
  const call = `${isAsync ? 'await ' : ''}self._call(${quoted(operation.operationId)}, ${given(args)}, options)`
  const head = `    ${isAsync ? 'async ' : ''}def ${name}(\n${signature(args, 'CallOptions')}    ) -> ${answer}:\n`
  return `${head}${describe(operation, args)}        return ${call}\n`
}

function iterateMethod({ operation }: Launched, isAsync: boolean): string {
  const args = getArguments(operation).filter(({ sent }) => sent !== 'cursor')
  const pagination = `${isAsync ? 'Async' : ''}Pagination[${getRecord(operation)}]`
  const text = docstring(
    [`Iterates over the rows of all pages: see \`\`${snake(operation.operationId)}\`\`. \`\`limit\`\` is the number of rows per page.`],
    [],
    '        ',
  )
  const head = `    def iter_${snake(operation.operationId)}(\n${signature(args, 'PageOptions')}    ) -> ${pagination}:\n`
  return `${head}${text}        return self._iterate(${quoted(operation.operationId)}, ${given(args)}, options)\n`
}

function operationsClass(full: Document, isAsync: boolean): string {
  const prefix = isAsync ? 'Async' : ''
  const word = isAsync ? 'async def' : 'def'
  const methods = launched(full).flatMap((one) => [callMethod(one, isAsync), ...(isPaged(one.operation) ? [iterateMethod(one, isAsync)] : [])])
  const head = `class ${prefix}Operations(ABC):
    """One method for each endpoint of the API."""

    @abstractmethod
    ${word} _call(self, name: str, given: Mapping[str, Any], options: CallOptions | None) -> Answer[Any, Any]: ...

    @abstractmethod
    def _iterate(self, name: str, given: Mapping[str, Any], options: PageOptions | None) -> ${prefix}Pagination[Any]: ...
`
  return [head, ...methods].join('\n')
}

function operations(full: Document): string {
  const records = launched(full).map(({ operation }) => getRecord(operation))
  const forBodies = launched(full).some(({ operation }) => getBodyArguments(operation).some(({ isRequired }) => !isRequired))
  const used = [...new Set([...records, ...getFieldTypes(full), 'ListMeta', 'Meta'])].toSorted()
  return `${notice}"""One method for each endpoint of the API."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Literal, Mapping, Sequence

from .._answer import Answer
from .._parameters import ${forBodies ? 'UNSET, Amount, Day, Time, Unset' : 'Amount, Day, Time'}
from .._settings import CallOptions
from ..pagination import AsyncPagination, PageOptions, Pagination
from .models import (
${used.map((name) => `    ${name},\n`).join('')})


${operationsClass(full, false)}

${operationsClass(full, true)}`
}

/** Returns the names of the types for `fields`. */
function getFieldTypes(full: Document): string[] {
  return launched(full).flatMap(({ operation }) => (operation.parameters.some(({ name }) => name === 'fields') ? [`${getRecord(operation)}Field`] : []))
}

function table(full: Document): string {
  const rows = launched(full).map(({ path, method, operation }) => {
    const { credits, per } = operation['x-svc-price']
    return `    ${quoted(operation.operationId)}: Operation(${quoted(method.toUpperCase())}, ${quoted(path)}, ${credits}, ${quoted(per)}),\n`
  })
  return `${notice}"""Method, path and price of each operation."""

from __future__ import annotations

from .._call import Operation

OPERATIONS: dict[str, Operation] = {
${rows.join('')}}
`
}

/** Generates the files of \`client-python/src/savings_rates/_generated\` from the current code. */
export async function pythonSources(): Promise<{ readonly name: string; readonly text: string }[]> {
  const full = await document()
  return [
    { name: '__init__.py', text: notice },
    { name: 'errors.py', text: pythonErrors(full, notice) },
    { name: 'models.py', text: pythonModels(full, notice) },
    { name: 'operations.py', text: operations(full) },
    { name: 'table.py', text: table(full) },
  ]
}
