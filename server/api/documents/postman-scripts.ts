/** Properties of an operation that determine its tests. */
export type TestedOperation = {
  readonly availability: string
  /** True if live keys on a lower plan get 403. */
  readonly needsPlan: boolean
  /** Type of `data`; `file` if the response is a file. */
  readonly data: 'array' | 'object' | 'file'
  /** True if keys without the scope for managing the account get 403. */
  readonly needsManage: boolean
  /** True if the operation changes the account. */
  readonly isAction: boolean
  readonly isPaged: boolean
  /** Variables to set from the first row of the response: names with the fields that they take. */
  readonly variables: readonly (readonly [name: string, field: string])[]
}

const isTestKey = "const isTestKey = pm.response.headers.get('X-SVC-Mode') === 'test'"

const announced = [
  "pm.test('Announced endpoints return 404', () => {",
  '  pm.response.to.have.status(404)',
  "  pm.expect(pm.response.json().error).to.eql('not_found')",
  '})',
]

const isOk = "pm.test('Status is 200', () => pm.response.to.have.status(200))"

const downloaded = [
  isOk,
  "pm.test('File has the stated number of rows', () => {",
  "  const rows = pm.response.text().split('\\n').length - 1",
  "  pm.expect(String(rows)).to.eql(pm.response.headers.get('X-SVC-Rows'))",
  '})',
]

const answered = (type: 'array' | 'object') => [
  isOk,
  "pm.test('Body is an envelope', () => {",
  '  const { data, meta } = pm.response.json()',
  `  pm.expect(data).to.be.an('${type}')`,
  "  pm.expect(meta.requestId).to.eql(pm.response.headers.get('X-SVC-Request-Id'))",
  "  pm.expect(String(meta.creditsCharged)).to.eql(pm.response.headers.get('X-SVC-Credits-Charged'))",
  '})',
]

const paged = [
  "pm.test('Page has at most limit rows', () => {",
  '  const { data, meta } = pm.response.json()',
  '  pm.expect(data.length).to.be.at.most(meta.limit)',
  '  // For the cursor parameter of the next request.',
  "  pm.collectionVariables.set('nextCursor', meta.nextCursor || '')",
  '})',
]

/** Sets variables from the first row of a list, so that the next requests use keys that exist for this API key: test keys and live keys have separate data. */
function taken(variables: TestedOperation['variables']): string[] {
  if (variables.length === 0) return []
  const set = variables.map(([name, field]) => `  pm.collectionVariables.set('${name}', first.${field})`)
  return ['// For the parameters of later requests.', 'const [first] = pm.response.code === 200 ? pm.response.json().data : []', 'if (first) {', ...set, '}']
}

const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`)

/** Expects 403 with `error` under a condition, and otherwise what `lines` expect. */
function unless(condition: string, title: string, error: string, lines: readonly string[]): string[] {
  const refused = [`pm.test('${title}', () => {`, '  pm.response.to.have.status(403)', `  pm.expect(pm.response.json().error).to.eql('${error}')`, '})']
  return [isTestKey, `if (${condition}) {`, ...indented(refused), '} else {', ...indented(lines), '}']
}

/** Skips a request that changes the account, unless the user asks for it: a run of the whole collection must not change anything. */
export const skipScript = ["if (pm.variables.get('sendChanges') !== 'true') pm.execution.skipRequest()"]

/** Expects 403 for keys that may not manage the account. With other keys, also accepts 400 or 404: the object may not exist, or webhooks may be disabled. */
const managed = (lines: readonly string[]) => [
  ...[
    'if (pm.response.code === 403) {',
    "  pm.test('Keys without account:manage get 403', () => pm.expect(pm.response.json().error).to.eql('insufficient_scope'))",
  ],
  ...['} else if (pm.response.code === 200) {', ...indented(lines), '} else {'],
  ...["  pm.test('The account has no such object', () => pm.expect(pm.response.code).to.be.oneOf([400, 404]))", '}'],
]

/** Returns the lines of the script that Postman runs after a request. It passes for test keys and for live keys on any plan. */
export function testScript({ availability, needsPlan, needsManage, data, isPaged, variables }: TestedOperation): string[] {
  if (availability === 'coming-soon') return announced
  const open = data === 'file' ? downloaded : [...answered(data), ...(isPaged ? paged : []), ...taken(variables)]
  if (needsManage) return managed(open)
  if (availability === 'test-only') return unless('!isTestKey', 'Live keys get 403 until the endpoint opens to them', 'endpoint_restricted', open)
  return needsPlan ? unless('!isTestKey && pm.response.code === 403', 'Live keys on a lower plan get 403', 'plan_upgrade_required', open) : open
}

/** Longest wait of the script below, in seconds. A daily limit may not reset for hours. */
const longestWaitSeconds = 60

/**
 * Scripts of the whole collection: with the variable `waitForLimit`, a request waits until the next minute if the previous response said that no requests are
 * left in this one.
 */
export const collectionScripts = {
  prerequest: [
    "const waitMs = Number(pm.collectionVariables.get('limitEndsAt')) - Date.now()",
    "if (pm.variables.get('waitForLimit') === 'true' && waitMs > 0) setTimeout(() => {}, waitMs)",
  ],
  test: [
    "const [left, seconds] = ['Remaining', 'Reset'].map((name) => Number(pm.response.headers.get('X-RateLimit-' + name)))",
    `const isUsedUp = left === 0 && seconds > 0 && seconds <= ${longestWaitSeconds}`,
    "pm.collectionVariables.set('limitEndsAt', isUsedUp ? String(Date.now() + seconds * 1000) : '')",
  ],
} as const
