import fc from 'fast-check'

/** Returns fast-check settings with a fixed seed, so that failures are reproducible. Set SVC_SEED to test other values. */
export const runs = (numRuns: number) => ({ seed: Number(process.env['SVC_SEED'] ?? 20_261_121), numRuns })

/** Visible ASCII characters, which need no encoding in a target. */
const visible = fc.constantFrom(...Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)))

const rawText = fc.string({ unit: visible, maxLength: 24 })
const anyText = fc.string({ unit: 'binary', maxLength: 24 }).map(encodeURIComponent)

const parameterName = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('type', 'provider', 'amount', 'limit', 'cursor', 'fields') },
  { weight: 1, arbitrary: fc.constantFrom('api_key', '__proto__', 'constructor', 'Limit', 'type[]', 'sourceKey', 'page') },
  { weight: 1, arbitrary: fc.oneof(rawText, anyText) },
)

const plausible = fc.constantFrom(
  'all',
  'notice',
  'easy-access',
  'cash-isa',
  '1',
  '10',
  '50',
  '51',
  '0',
  '-1',
  '1e3',
  '100.00',
  '0.001',
  'rate',
  'rate,sourceKey',
  'rate,,',
  'null',
  '%00',
  '%ff',
  '+',
  '%20',
)
const parameterValue = fc.oneof({ weight: 3, arbitrary: plausible }, { weight: 1, arbitrary: rawText }, { weight: 1, arbitrary: anyText })

/** Query string that has valid, almost valid and random parameters, or consists of random text. */
export const anyQuery: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(
        fc.tuple(parameterName, parameterValue).map(([name, value]) => `${name}=${value}`),
        { maxLength: 4 },
      )
      .map((parts) => parts.join('&')),
  },
  { weight: 1, arbitrary: fc.string({ unit: visible, maxLength: 60 }) },
)

const knownSegment = fc.constantFrom(
  'rates',
  'reference',
  'products',
  'providers',
  'ping',
  'me',
  'link',
  'history',
  'market',
  'overview',
  'cards',
  'travel',
  'assistant',
  'v1',
  '',
)
const wildSegment = fc.oneof(rawText, anyText, fc.constantFrom('%', '%zz', '%ff', '%00', '%2F', '\\', ';', '{sourceKey}', '__proto__', 'a'.repeat(300)))

/** Dot segments, which clients resolve before sending; only attackers and tests send them unresolved. */
const dotSegment = fc.constantFrom('.', '..', '%2e', '%2e%2e', '.%2E', '...', '..;', '.ping')

/** Path below `/v1` with valid or random segments. */
export const anyPath: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 6, arbitrary: knownSegment }, { weight: 4, arbitrary: wildSegment }, { weight: 1, arbitrary: dotSegment }), { maxLength: 4 })
  .map((segments) => segments.map((segment) => `/${segment}`).join(''))

export const anyMethod = fc.constantFrom('GET', 'GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD')

const headerValue = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom('0', '1', '5', '-1', '1.5', '*', 'W/"x"', '"x", "y"', '127.0.0.1', 'gzip', 'application/json', 'Basic eDp5', 'Bearer', 'true'),
  },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))), maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom('é', 'ÿ', '£', 'a', ' ', '\t'), maxLength: 12 }) },
)

const headerName = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('if-none-match', 'idempotency-key', 'x-svc-max-credits', 'authorization') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'x-forwarded-for',
      'x-svc-peer',
      'x-api-key',
      'accept',
      'accept-encoding',
      'content-type',
      'range',
      'if-modified-since',
      'cookie',
      'origin',
    ),
  },
  // Headers that Next interprets.
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'rsc',
      'next-router-prefetch',
      'next-router-state-tree',
      'next-action',
      'x-nextjs-data',
      'x-middleware-subrequest',
      'x-matched-path',
      'x-http-method-override',
    ),
  },
)

export const anyHeaders: fc.Arbitrary<Record<string, string>> = fc.dictionary(headerName, headerValue, { maxKeys: 4 })

type Change = readonly [kind: 'drop' | 'insert' | 'replace' | 'swap', place: number, message: string]

const change: fc.Arbitrary<Change> = fc.tuple(
  fc.constantFrom('drop', 'insert', 'replace', 'swap'),
  fc.nat(200),
  fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~'),
)

function apply(text: string, [kind, place, message]: Change): string {
  const at = place % text.length
  if (kind === 'insert') return text.slice(0, at) + message + text.slice(at)
  if (kind === 'drop') return text.slice(0, at) + text.slice(at + 1)
  if (kind === 'replace') return text.slice(0, at) + message + text.slice(at + 1)
  return text.slice(0, at) + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2)
}

/** Puts one to three typos into a string. */
export const mangling: fc.Arbitrary<(text: string) => string> = fc
  .array(change, { minLength: 1, maxLength: 3 })
  .map((changes) => (text) => changes.reduce(apply, text))

const numbers = [
  '0',
  '1',
  '-1',
  '0.01',
  '0.001',
  '1.5',
  '12',
  '100',
  '100.00',
  '600',
  '1201',
  '99999999',
  '1000000000',
  '999999999999',
  '1e9',
  '0x10',
  'NaN',
  '00',
]
const words = [
  'all',
  'true',
  'false',
  'EUR',
  'USD',
  'XXX',
  'eur',
  '2025-26',
  '2026-27',
  '2026/27',
  '2025-01-01',
  '2025-13-01',
  'none',
  '__proto__',
  'rate',
  '%00',
]

/** Generates valid, boundary and invalid values for a parameter, based on its documentation. */
export function valueFor(documented: Readonly<Record<string, unknown>>): fc.Arbitrary<string> {
  const allowed = Array.isArray(documented['enum']) ? documented['enum'].map(String) : []
  const edges = ['minimum', 'maximum'].flatMap((name) => {
    const edge = documented[name]
    return typeof edge === 'number' ? [edge - 1, edge, edge + 1, edge + 0.01].map(String) : []
  })
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...(allowed.length + edges.length > 0 ? [...allowed, ...edges] : [...numbers, ...words])) },
    { weight: 2, arbitrary: fc.constantFrom(...numbers, ...words) },
    { weight: 1, arbitrary: fc.oneof(rawText, anyText) },
  )
}
