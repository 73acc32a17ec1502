/** What the tests of a request have to know of its operation. */
export type TestedOperation = { readonly availability: string; readonly isList: boolean; readonly isPaged: boolean }

const announced = [
  "pm.test('Announced endpoints answer 404', () => {",
  '  pm.response.to.have.status(404)',
  "  pm.expect(pm.response.json().error).to.eql('not_found')",
  '})',
]

const answered = (isList: boolean) => [
  "pm.test('The answer is 200', () => pm.response.to.have.status(200))",
  "pm.test('The body is an envelope', () => {",
  '  const { data, meta } = pm.response.json()',
  `  pm.expect(data).to.be.an('${isList ? 'array' : 'object'}')`,
  "  pm.expect(meta.requestId).to.eql(pm.response.headers.get('X-SVC-Request-Id'))",
  "  pm.expect(String(meta.creditsCharged)).to.eql(pm.response.headers.get('X-SVC-Credits-Charged'))",
  '})',
]

const paged = [
  "pm.test('A page holds no more rows than its limit', () => {",
  '  const { data, meta } = pm.response.json()',
  '  pm.expect(data.length).to.be.at.most(meta.limit)',
  "  // For the parameter 'cursor' of the next request.",
  "  pm.collectionVariables.set('nextCursor', meta.nextCursor || '')",
  '})',
]

/** The script that Postman runs after a request, line by line. */
export function testScript({ availability, isList, isPaged }: TestedOperation): string[] {
  if (availability === 'coming-soon') return announced
  return isPaged ? [...answered(isList), ...paged] : answered(isList)
}
