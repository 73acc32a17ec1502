import { expect, test } from 'vitest'
import { keySnippets } from '#components/portal/snippets.ts'

const codes = (scopes: string[]) => keySnippets('https://api.example.test/v1', { key: 'svc_test_x', scopes }).map(({ code }) => code)

test("the example call in each language is one that the new key's scopes allow", () => {
  expect(codes(['rates:read', 'providers:read'])).toHaveLength(3)
  for (const code of codes(['rates:read'])) expect(code).toContain('https://api.example.test/v1/rates?')
  for (const code of codes(['providers:read'])) expect(code).toMatch(/https:\/\/api\.example\.test\/v1\/ping['"]/)
  for (const code of [...codes(['rates:read']), ...codes([])]) expect(code).toContain('Bearer svc_test_x')
})
