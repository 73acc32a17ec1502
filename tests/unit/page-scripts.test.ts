import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashedPolicy } from '#server/runtime/content-policy.ts'
import { hashScripts } from '#server/runtime/page-cache/page-scripts.ts'

const nonce = 'bm9uY2Ugb2YgdGhlIHRlc3Q='
const files = { 'static/chunks/main.js': 'sha256-main', 'static/chunks/part.js': 'sha256-part' }
const own = (code: string) => `<script nonce="${nonce}">${code}</script>`

test('lists the hashes of inline scripts as browsers compute them, and removes the nonce from the page', () => {
  const { html, hashes } = hashScripts(`<p>a</p>${own('let a = 1')}${own(`push({"nonce":"${nonce}"})`)}`, nonce, files)
  expect(html).not.toContain(nonce)
  expect(hashes).toEqual(['let a = 1', 'push({"nonce":""})'].map((code) => `sha256-${hash('sha256', code, 'base64')}`))
})

test('lists script files by the hash of the build, and adds it to their tags', () => {
  const page = `<script src="/_next/static/chunks/main.js" async="" integrity="sha256-main" nonce="${nonce}"></script><script src="/_next/static/chunks/part.js?dpl=1" nonce="${nonce}"></script>`
  const { html, hashes } = hashScripts(page, nonce, files)
  expect(hashes).toEqual(['sha256-main', 'sha256-part'])
  expect(html.match(/integrity="[^"]+"/g)).toEqual(['integrity="sha256-main"', 'integrity="sha256-part"'])
})

test('adds no hash to scripts without the nonce of the page', () => {
  const { html, hashes } = hashScripts('<script>steal()</script><script nonce="guess">steal()</script><script src="//evil.test/a.js"></script>', nonce, files)
  expect(hashes).toEqual([])
  expect(html).not.toContain('integrity')
})

test('rejects a page with a script file that is not part of the build', () => {
  expect(() => hashScripts(`<script src="/_next/static/chunks/unknown.js" nonce="${nonce}"></script>`, nonce, files)).toThrow('no hash')
  expect(() => hashScripts(`<script src="https://evil.test/a.js" nonce="${nonce}"></script>`, nonce, files)).toThrow('another path')
})

test('the policy of a shared page is as strict as that of a page with a nonce', () => {
  const settings = { publicUrl: 'https://api.example.test', isDevelopment: false, providers: { google: null, oidc: null } }
  const policy = hashedPolicy(['sha256-a', 'sha256-b'], settings)
  expect(policy).toContain("script-src 'self' 'sha256-a' 'sha256-b' 'strict-dynamic'; style-src 'self'; ")
  expect(policy.replace("style-src-attr 'unsafe-inline'", '')).not.toContain('unsafe')
  // Without any script, 'strict-dynamic' still disables 'self'.
  expect(hashedPolicy([], settings)).toContain("script-src 'self' 'strict-dynamic'; ")
})
