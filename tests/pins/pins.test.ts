import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cites } from '../requirements/verifies.ts'
import { breaksBetween, withAdditions } from './compare.ts'
import { type Pins, pinsOfRegistry } from './pin.ts'

/**
 * Tests the promise of v1: no path, parameter or field is removed, renamed or changed in type (SPEC Versioning). `v1.json` contains the contract as first
 * published. Additions pass the tests. To include them in the promise, run `SVC_WRITE_PINS=1 npx vitest run tests/pins`, which only adds pins, and writes
 * nothing if the code breaks the promise: breaking changes belong in v2.
 */
const file = join(import.meta.dirname, 'v1.json')
const present = pinsOfRegistry()
const readPins = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as Pins

/** Pins with additions. The pin of an endpoint that hasn't launched contains only its path, and is replaced at launch. */
function grown(pins: Pins): Pins {
  const entries = Object.entries(pins).map(([call, pin]) => [call, pin.kind === 'planned' && present[call] ? present[call] : pin])
  return withAdditions(Object.fromEntries(entries), present) as Pins
}

if (process.env['SVC_WRITE_PINS'] === '1' && breaksBetween(readPins(), present).length === 0) {
  writeFileSync(file, JSON.stringify(grown(readPins()), null, 2))
  execFileSync(join(import.meta.dirname, '../../node_modules/.bin/biome'), ['format', '--write', file])
}

const promised = readPins()

cites('versioning/shapes-only-grow')

test('v1 keeps every promised path, parameter and field', () => {
  const breaks = breaksBetween(promised, present)
  expect(breaks, `Broken promises of v1:\n  ${breaks.join('\n  ')}\n`).toEqual([])
})

test('pins cover all 39 endpoints and the webhook events', () => {
  for (const type of ['rate.changed', 'product.added', 'product.withdrawn', 'switch_offer.changed', 'balance.low', 'alert.matched']) {
    expect(promised[`event ${type}`]?.output, type).toMatchObject({ type: 'object', required: expect.any(Array) })
  }
  expect(Object.keys(promised).length).toBeGreaterThanOrEqual(39)
  expect(Object.keys(promised['GET /rates']?.parameters ?? {}).toSorted()).toEqual([
    ...[
      'access',
      'amount',
      'asOf',
      'cursor',
      'fields',
      'fscsGroup',
      'interestPaid',
      'limit',
      'maxNoticeDays',
      'maxRate',
      'maxTermMonths',
      'minBalance',
      'minRate',
    ],
    ...['minTermMonths', 'newCustomersOnly', 'payable', 'provider', 'q', 'sort', 'sourceKey', 'type', 'updatedSince', 'withdrawn'],
  ])
})

/** Pins with one change, as if the code had changed. */
function changed(change: (pins: Record<string, unknown>) => void): Pins {
  const copy = structuredClone(promised) as unknown as Record<string, unknown>
  change(copy)
  return copy as Pins
}

type Editable = {
  kind: string
  parameters: Record<string, { required: boolean; schema: Record<string, unknown> }>
  output: { properties: Record<string, unknown>; required: string[] }
}

const rates = (pins: Record<string, unknown>) => pins['GET /rates'] as Editable

function parameter(pins: Record<string, unknown>, name: string) {
  const found = rates(pins).parameters[name]
  if (!found) throw new Error(`GET /rates has no parameter ${name}.`)
  return found
}

describe('breaking changes', () => {
  const cases: [string, (pins: Record<string, unknown>) => void, string][] = [
    ['a removed path', (pins) => delete pins['GET /rates'], 'GET /rates was removed'],
    ['a list that becomes an item', (pins) => Object.assign(rates(pins), { kind: 'item' }), 'GET /rates: changed from list to item'],
    ['a removed parameter', (pins) => delete rates(pins).parameters['type'], 'GET /rates?type was removed'],
    ['a parameter that becomes required', (pins) => Object.assign(parameter(pins, 'type'), { required: true }), 'GET /rates?type is now required'],
    ['a new required parameter', (pins) => Object.assign(rates(pins).parameters, { x: { required: true, schema: {} } }), 'GET /rates?x is new and required'],
    [
      'a changed parameter type',
      (pins) => Object.assign(parameter(pins, 'amount').schema, { type: 'string' }),
      'GET /rates?amount: type was "number" and is "string"',
    ],
    [
      'a smaller range',
      (pins) => Object.assign(parameter(pins, 'amount').schema, { maximum: 10 }),
      'GET /rates?amount: maximum was 1000000000 and is 10, which accepts fewer values',
    ],
    [
      'an added multipleOf',
      (pins) => Object.assign(parameter(pins, 'limit').schema, { multipleOf: 5 }),
      'GET /rates?limit: multipleOf was undefined and is 5, which accepts fewer values',
    ],
    [
      'a removed enum value',
      (pins) => Object.assign(parameter(pins, 'type').schema, { enum: ['all'] }),
      'GET /rates?type: the value "easy-access" was removed',
    ],
    ['a removed field', (pins) => delete rates(pins).output.properties['rate'], 'GET /rates data.rate was removed'],
    [
      'a changed field type',
      (pins) => Object.assign(rates(pins).output.properties, { provider: { type: 'number' } }),
      'GET /rates data.provider: type was "string" and is "number"',
    ],
    [
      'a field that becomes nullable',
      (pins) => Object.assign(rates(pins).output.properties, { provider: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
      'GET /rates data.provider: was',
    ],
    [
      'a field that becomes optional',
      (pins) => rates(pins).output.required.splice(rates(pins).output.required.indexOf('access'), 1),
      'GET /rates data.access is now optional',
    ],
    [
      'a changed type inside a list',
      (pins) => Object.assign(rates(pins).output.properties, { matchReasons: { type: 'array', items: { type: 'number' } } }),
      'GET /rates data.matchReasons[]: type was "string"',
    ],
  ]
  test.each(cases)('%s', (_name, change, message) => {
    expect(breaksBetween(promised, changed(change)).join('\n')).toContain(message)
  })
})

describe('compatible changes', () => {
  const cases: [string, (pins: Record<string, unknown>) => void][] = [
    ['a new path', (pins) => Object.assign(pins, { 'GET /new': { kind: 'item', parameters: {}, output: {} } })],
    ['a new optional parameter', (pins) => Object.assign(rates(pins).parameters, { order: { required: false, schema: { type: 'string' } } })],
    ['a new field', (pins) => Object.assign(rates(pins).output.properties, { more: { type: 'string' } })],
    ['a new enum value', (pins) => (parameter(pins, 'type').schema['enum'] as string[]).push('premium-bonds')],
    ['a larger range', (pins) => Object.assign(parameter(pins, 'amount').schema, { maximum: 1e12 })],
    ['a removed multipleOf', (pins) => delete parameter(pins, 'amount').schema['multipleOf']],
    ['a field that becomes required', (pins) => rates(pins).output.required.push('providerLogoUrl')],
  ]
  test.each(cases)('allows %s, and keeps all existing entries when the pins are written', (_name, change) => {
    const present = changed(change)
    expect(breaksBetween(promised, present)).toEqual([])
    const written = withAdditions(promised, present) as Pins
    expect(breaksBetween(promised, written)).toEqual([])
    expect(withAdditions(written, promised)).toEqual(written)
  })

  test('writing the pins never overwrites a changed entry', () => {
    const broken = changed((pins) => {
      delete rates(pins).output.properties['rate']
      Object.assign(parameter(pins, 'amount').schema, { type: 'string' })
    })
    expect(withAdditions(promised, broken)).toEqual(promised)
  })
})
