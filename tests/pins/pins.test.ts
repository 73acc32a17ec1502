import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cites } from '../requirements/verifies.ts'
import { breaksBetween, withAdditions } from './compare.ts'
import { type Pins, pinsOfRegistry } from './pin.ts'

/**
 * The promise of v1: no path, parameter or field is removed, renamed or changed in type (SPEC Versioning). `v1.json` holds every one of them as it was
 * first published. What is new passes; pin it, so that it is promised as well, with
 *
 *     SVC_WRITE_PINS=1 npx vitest run tests/pins
 *
 * which adds and never changes or removes a line, and writes nothing while a promise is broken: such a change belongs into v2.
 */
const file = join(import.meta.dirname, 'v1.json')
const present = pinsOfRegistry()
const readPins = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as Pins

/** The pins and what is new. An endpoint that is launched has a shape for the first time: its pin of a bare path gives way to it. */
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

test('v1 keeps every path, parameter and field that it has promised', () => {
  const breaks = breaksBetween(promised, present)
  expect(breaks, `Broken promises of v1:\n  ${breaks.join('\n  ')}\n`).toEqual([])
})

test('the pin holds all 39 endpoints and the events of webhooks', () => {
  for (const type of ['rate.changed', 'product.added', 'product.withdrawn', 'switch_offer.changed', 'balance.low']) {
    expect(promised[`event ${type}`]?.output, type).toMatchObject({ type: 'object', required: expect.any(Array) })
  }
  expect(Object.keys(promised).length).toBeGreaterThanOrEqual(39)
  expect(Object.keys(promised['GET /rates']?.parameters ?? {}).toSorted()).toEqual(['amount', 'cursor', 'fields', 'limit', 'provider', 'type'])
})

/** The pin with one change made to it, as if the code had changed. */
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

describe('what breaks the promise', () => {
  const cases: [string, (pins: Record<string, unknown>) => void, string][] = [
    ['a path that is gone', (pins) => delete pins['GET /rates'], 'GET /rates is gone'],
    ['a list that becomes an item', (pins) => Object.assign(rates(pins), { kind: 'item' }), 'GET /rates: was a list and is a item'],
    ['a parameter that is gone', (pins) => delete rates(pins).parameters['type'], 'GET /rates?type is gone'],
    ['a parameter that is demanded', (pins) => Object.assign(parameter(pins, 'type'), { required: true }), 'GET /rates?type may no longer be left out'],
    [
      'a new parameter that is demanded',
      (pins) => Object.assign(rates(pins).parameters, { x: { required: true, schema: {} } }),
      'GET /rates?x is new and may not be left out',
    ],
    [
      'a parameter of another type',
      (pins) => Object.assign(parameter(pins, 'amount').schema, { type: 'string' }),
      'GET /rates?amount: type was "number" and is "string"',
    ],
    [
      'a smaller range',
      (pins) => Object.assign(parameter(pins, 'amount').schema, { maximum: 10 }),
      'GET /rates?amount: maximum was 1000000000 and is 10, which accepts less',
    ],
    [
      'a step where there was none',
      (pins) => Object.assign(parameter(pins, 'limit').schema, { multipleOf: 5 }),
      'GET /rates?limit: multipleOf was undefined and is 5, which accepts less',
    ],
    ['a word that is gone', (pins) => Object.assign(parameter(pins, 'type').schema, { enum: ['all'] }), 'GET /rates?type: the word "easy-access" is gone'],
    ['a field that is gone', (pins) => delete rates(pins).output.properties['rate'], 'GET /rates data.rate is gone'],
    [
      'a field of another type',
      (pins) => Object.assign(rates(pins).output.properties, { provider: { type: 'number' } }),
      'GET /rates data.provider: type was "string" and is "number"',
    ],
    [
      'a field that becomes null',
      (pins) => Object.assign(rates(pins).output.properties, { provider: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
      'GET /rates data.provider: was',
    ],
    [
      'a field that may be left out',
      (pins) => rates(pins).output.required.splice(rates(pins).output.required.indexOf('access'), 1),
      'GET /rates data.access may now be left out',
    ],
    [
      'another type inside of a list',
      (pins) => Object.assign(rates(pins).output.properties, { matchReasons: { type: 'array', items: { type: 'number' } } }),
      'GET /rates data.matchReasons[]: type was "string"',
    ],
  ]
  test.each(cases)('%s', (_name, change, message) => {
    expect(breaksBetween(promised, changed(change)).join('\n')).toContain(message)
  })
})

describe('what keeps it', () => {
  const cases: [string, (pins: Record<string, unknown>) => void][] = [
    ['a new path', (pins) => Object.assign(pins, { 'GET /new': { kind: 'item', parameters: {}, output: {} } })],
    ['a new parameter that may be left out', (pins) => Object.assign(rates(pins).parameters, { sort: { required: false, schema: { type: 'string' } } })],
    ['a new field', (pins) => Object.assign(rates(pins).output.properties, { more: { type: 'string' } })],
    ['a new word', (pins) => (parameter(pins, 'type').schema['enum'] as string[]).push('premium-bonds')],
    ['a larger range', (pins) => Object.assign(parameter(pins, 'amount').schema, { maximum: 1e12 })],
    ['a step that is gone', (pins) => delete parameter(pins, 'amount').schema['multipleOf']],
    ['a field that is always there now', (pins) => rates(pins).output.required.push('providerLogoUrl')],
  ]
  test.each(cases)('%s, and writing the pins keeps what was there', (_name, change) => {
    const present = changed(change)
    expect(breaksBetween(promised, present)).toEqual([])
    const written = withAdditions(promised, present) as Pins
    expect(breaksBetween(promised, written)).toEqual([])
    expect(withAdditions(written, promised)).toEqual(written)
  })

  test('writing the pins never takes a change over', () => {
    const broken = changed((pins) => {
      delete rates(pins).output.properties['rate']
      Object.assign(parameter(pins, 'amount').schema, { type: 'string' })
    })
    expect(withAdditions(promised, broken)).toEqual(promised)
  })
})
