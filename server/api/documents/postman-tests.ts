/** Properties of an operation that its tests depend on. */
export type TestedOperation = { readonly availability: string; readonly isList: boolean; readonly isPaged: boolean }

const announced = [
  "pm.test('Announced endpoints return 404', () => {",
  '  pm.response.to.have.status(404)',
  "  pm.expect(pm.response.json().error).to.eql('not_found')",
  '})',
]

const answered = (isList: boolean) => [
  "pm.test('Status is 200', () => pm.response.to.have.status(200))",
  "pm.test('Body is an envelope', () => {",
  '  const { data, meta } = pm.response.json()',
  `  pm.expect(data).to.be.an('${isList ? 'array' : 'object'}')`,
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

/** Returns the lines of the script that Postman runs after a request. */
export function testScript({ availability, isList, isPaged }: TestedOperation): string[] {
  if (availability === 'coming-soon') return announced
  return isPaged ? [...answered(isList), ...paged] : answered(isList)
}
