import type { Pin, Pins } from './pin.ts'

type Json = { readonly [keyword: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const text = (value: unknown) => JSON.stringify(value)

/** Schema keywords that define the type: changing one changes the type. */
const kindKeywords = ['type', 'format', 'pattern', 'const']

function kindBreaks(was: Json, is: Json, at: string): string[] {
  return kindKeywords
    .filter((keyword) => text(was[keyword]) !== text(is[keyword]))
    .map((keyword) => `${at}: ${keyword} was ${text(was[keyword])} and is ${text(is[keyword])}`)
}

/** Enum values may be added, never removed. */
function enumBreaks(was: Json, is: Json, at: string): string[] {
  if (!Array.isArray(was['enum'])) return is['enum'] === undefined ? [] : [`${at}: is now an enum`]
  const now = Array.isArray(is['enum']) ? is['enum'] : []
  return was['enum'].filter((word) => !now.includes(word)).map((word) => `${at}: the value ${text(word)} was removed`)
}

function propertyBreaks(was: Json, is: Json, at: string): string[] {
  const before = isObject(was['properties']) ? was['properties'] : {}
  const now = isObject(is['properties']) ? is['properties'] : {}
  const stillRequired = new Set(Array.isArray(is['required']) ? is['required'] : [])
  const optional = (Array.isArray(was['required']) ? was['required'] : []).filter((name) => name in now && !stillRequired.has(name))
  const inside = Object.entries(before).flatMap(([name, schema]) =>
    name in now ? outputBreaks(schema as Json, now[name] as Json, `${at}.${name}`) : [`${at}.${name} was removed`],
  )
  return [...inside, ...optional.map((name) => `${at}.${name} is now optional`)]
}

/** Returns the changes that break clients of the old schema. New fields and enum values don't. */
function outputBreaks(was: Json, is: Json, at: string): string[] {
  const alternatives = (schema: Json) => (Array.isArray(schema['anyOf']) ? (schema['anyOf'] as Json[]) : null)
  const [before, now] = [alternatives(was), alternatives(is)]
  if (before || now) {
    if (before?.length !== now?.length) return [`${at}: was ${text(was)} and is ${text(is)}`]
    return (before ?? []).flatMap((one, place) => outputBreaks(one, now?.[place] ?? {}, at))
  }
  const items = isObject(was['items']) ? outputBreaks(was['items'], isObject(is['items']) ? is['items'] : {}, `${at}[]`) : []
  return [...kindBreaks(was, is, at), ...enumBreaks(was, is, at), ...propertyBreaks(was, is, at), ...items]
}

/** A range may grow, never shrink: accepted values must stay accepted. */
function rangeBreaks(was: Json, is: Json, at: string): string[] {
  const number = (schema: Json, keyword: string, none: number) => (typeof schema[keyword] === 'number' ? schema[keyword] : none)
  const rose = ['minimum', 'minLength', 'minItems'].filter(
    (keyword) => number(is, keyword, Number.NEGATIVE_INFINITY) > number(was, keyword, Number.NEGATIVE_INFINITY),
  )
  const fell = ['maximum', 'maxLength', 'maxItems'].filter(
    (keyword) => number(is, keyword, Number.POSITIVE_INFINITY) < number(was, keyword, Number.POSITIVE_INFINITY),
  )
  const stepped = 'multipleOf' in is && is['multipleOf'] !== was['multipleOf'] ? ['multipleOf'] : []
  return [...rose, ...fell, ...stepped].map((keyword) => `${at}: ${keyword} was ${text(was[keyword])} and is ${text(is[keyword])}, which accepts fewer values`)
}

function parameterBreaks(was: Pin, is: Pin, at: string): string[] {
  const known = Object.entries(was.parameters).flatMap(([name, before]) => {
    const now = is.parameters[name]
    const where = `${at}?${name}`
    if (!now) return [`${where} was removed`]
    const demand = now.required && !before.required ? [`${where} is now required`] : []
    return [
      ...demand,
      ...kindBreaks(before.schema, now.schema, where),
      ...enumBreaks(before.schema, now.schema, where),
      ...rangeBreaks(before.schema, now.schema, where),
    ]
  })
  const demanded = Object.entries(is.parameters).filter(([name, { required }]) => required && !(name in was.parameters))
  return [...known, ...demanded.map(([name]) => `${at}?${name} is new and required`)]
}

/** Returns every breaking change between the promised contract and the current one. */
export function breaksBetween(promised: Pins, present: Pins): string[] {
  return Object.entries(promised).flatMap(([call, was]) => {
    const is = present[call]
    if (!is) return [`${call} was removed`]
    if (was.kind === 'planned') return []
    if (was.kind !== is.kind) return [`${call}: changed from ${was.kind} to ${is.kind}`]
    return [...parameterBreaks(was, is, call), ...outputBreaks(was.output, is.output, `${call} data`)]
  })
}

/** Merges additions into the pins. Pinned entries are never changed or removed. */
export function withAdditions(promised: unknown, present: unknown): unknown {
  if (!(isObject(promised) && isObject(present))) return Array.isArray(promised) ? addWords(promised, present) : promised
  const kept = Object.entries(promised).map(([name, value]) => [name, name in present ? withAdditions(value, present[name]) : value])
  const added = Object.entries(present).filter(([name]) => !(name in promised))
  return Object.fromEntries([...kept, ...added])
}

/** Appends new strings (enum values, required fields) to the promised ones. Merges lists of schemas by position. */
function addWords(promised: readonly unknown[], present: unknown): unknown[] {
  const now = Array.isArray(present) ? present : []
  const isWords = promised.every((one) => !isObject(one))
  return isWords ? [...promised, ...now.filter((word) => !promised.includes(word))] : promised.map((one, place) => withAdditions(one, now[place]))
}
