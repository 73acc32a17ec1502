import type { z } from 'zod'
import { includesPlan, plans } from '#server/api/contract/access.ts'
import { defaultLimit, maximumLimit } from '#server/api/contract/endpoint.ts'
import { invalid, RefusedError, refuse } from '#server/api/contract/errors.ts'
import { suggestion } from '#server/api/contract/nearest.ts'
import { readPageSize } from '#server/api/contract/request-bounds.ts'
import type { KeyRecord } from '#server/keys/key-record.ts'
import type { PipelineEndpoint, Reading, Route } from './call.ts'

const pageParameters = ['limit', 'cursor']

/** Returns the query parameters of an endpoint, without path parameters. */
function queryNames(endpoint: PipelineEndpoint): string[] {
  const own = Object.keys(endpoint.input.shape).filter((name) => !endpoint.path.includes(`{${name}}`))
  const paging = endpoint.kind === 'list' ? pageParameters : []
  return [...own, ...paging, ...(endpoint.fields.length > 0 ? ['fields'] : [])]
}

/** Returns the argument names of an endpoint's MCP tool: its path and query parameters. */
const argumentNames = (endpoint: PipelineEndpoint): string[] => [...new Set([...Object.keys(endpoint.input.shape), ...queryNames(endpoint)])]

/** True if a tool call accepts an argument with this name. */
export function isArgument(endpoint: PipelineEndpoint, name: string): boolean {
  if (Object.hasOwn(endpoint.input.shape, name)) return true
  return name === 'fields' ? endpoint.fields.length > 0 : endpoint.kind === 'list' && pageParameters.includes(name)
}

/** Returns a sentence that lists the valid parameters. */
function describeKnown(endpoint: PipelineEndpoint, known: readonly string[]): string {
  if (known.length > 0) return ` Valid parameters: ${known.join(', ')}.`
  return ` This endpoint takes no ${endpoint.path.includes('{') ? 'query ' : ''}parameters.`
}

/** Parses the query. Unknown, repeated and empty parameters are rejected, because typos must not be charged. */
function readQuery(endpoint: PipelineEndpoint, { search, isTool = false }: Route): Map<string, string> {
  const known = isTool ? argumentNames(endpoint) : queryNames(endpoint)
  const values = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(search)) {
    if (name === 'api_key') continue
    if (!known.includes(name)) {
      throw invalid(`Unknown parameter "${name.slice(0, 60)}".${suggestion(name, known)}${describeKnown(endpoint, known)}`)
    }
    if (values.has(name)) throw invalid(`"${name}" is given more than once. Send it once.`)
    if (value === '') throw invalid(`"${name}" is empty. Give it a value, or omit it.`)
    values.set(name, value)
  }
  return values
}

function describeIssue(issue: z.core.$ZodIssue, value: string | undefined): string {
  const name = String(issue.path[0] ?? 'query')
  if (value === undefined) return `"${name}" is missing.`
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String)
    return `"${value.slice(0, 60)}" is not a valid "${name}".${suggestion(value, values)} Valid values: ${values.join(', ')}.`
  }
  return `"${name}" ${issue.code === 'custom' ? issue.message : 'has an invalid value'}.`
}

function readInput(endpoint: PipelineEndpoint, path: Readonly<Record<string, string>>, query: ReadonlyMap<string, string>): Record<string, unknown> {
  const given: Record<string, string> = { ...path }
  for (const name of Object.keys(endpoint.input.shape)) {
    const value = query.get(name)
    if (value !== undefined && !(name in path)) given[name] = value
  }
  const unreadable = Object.keys(given).find((name) => given[name]?.includes('\0'))
  if (unreadable !== undefined) throw invalid(`"${unreadable}" can't contain NUL characters.`)
  const parsed = endpoint.input.safeParse(given)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw invalid(issue ? describeIssue(issue, given[String(issue.path[0])]) : 'The query is not valid.')
}

function readLimit(text: string | undefined): number {
  const size = readPageSize(text, { usual: defaultLimit, most: maximumLimit })
  if (size === null) throw invalid(`"limit" must be a whole number from 1 to ${maximumLimit}; larger values are reduced to ${maximumLimit}.`)
  return size
}

function readFields(text: string | undefined, known: readonly string[]): string[] | null {
  if (text === undefined) return null
  const names = text.split(',').map((name) => name.trim())
  for (const name of names) {
    if (!known.includes(name)) throw invalid(`"${name.slice(0, 60)}" is not a field of this list.${suggestion(name, known)} Valid fields: ${known.join(', ')}.`)
  }
  return [...new Set(names)]
}

/**
 * Checks the given parameters and the requested fields against the caller's plan; no other check of the query depends on the caller. A field that would be
 * missing from every row is an error, because the caller would pay for rows without it.
 * @throws RefusedError that names the parameter and the plan: 403 for a parameter, 400 for a field.
 */
export function checkReserved({ reserved, reservedParameters }: Reading, { mode, plan }: Pick<KeyRecord, 'mode' | 'plan'>): void {
  if (mode === 'test') return
  const yours = `Your account is on ${plans[plan].label}.`
  for (const [parameter, needed] of reservedParameters) {
    const message = `"${parameter}" needs the ${plans[needed].label} plan. ${yours} Omit it, or upgrade.`
    if (!includesPlan(plan, needed)) throw new RefusedError(refuse('plan_upgrade_required', { requiredPlan: needed }, message))
  }
  for (const [field, needed] of reserved) {
    if (!includesPlan(plan, needed)) throw invalid(`"${field}" in "fields" needs the ${plans[needed].label} plan. ${yours}`)
  }
}

/** Builds the target of the next page. All of it is encoded, because it becomes part of a header. */
function getNextTarget(endpoint: PipelineEndpoint, { path }: Route, query: ReadonlyMap<string, string>): string {
  if (endpoint.kind !== 'list') return ''
  const filled = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  const given = new URLSearchParams([...query].filter(([name]) => name !== 'cursor' && !(name in path))).toString()
  return `${filled}?${given}${given === '' ? '' : '&'}cursor=`
}

/**
 * Parses and validates the path and the query.
 * @throws RefusedError (400) that names the parameter and the closest valid value.
 */
export function readParameters(endpoint: PipelineEndpoint, route: Route): Reading {
  const query = readQuery(endpoint, route)
  const input = readInput(endpoint, route.path, query)
  const limit = endpoint.kind === 'list' ? readLimit(query.get('limit')) : 0
  const fields = readFields(query.get('fields'), endpoint.fields)
  const reserved = [...endpoint.fieldPlans].filter(([field]) => fields?.includes(field))
  const reservedParameters = [...endpoint.parameterPlans].filter(([name]) => query.has(name))
  const cursor = query.get('cursor') ?? null
  const binding = `${endpoint.id} ${JSON.stringify(input)}`
  const nextTarget = getNextTarget(endpoint, route, query)
  const key = `${binding} ${limit} ${fields?.join() ?? ''} ${cursor ?? ''}`
  return { input, limit, cursor, fields, reserved, reservedParameters, binding, nextTarget, key, pages: [] }
}
