import { expect } from '@playwright/test'
import { Registration, registerClient } from '#server/self-service/oauth/oauth-clients.ts'
import { expectAccessible, lookAt } from './support/look-at.ts'
import { portalTest } from './support/portal-test.ts'

const test = portalTest()

test('approves an application, which then receives a key, and denies another', async ({ portal, newMember }) => {
  const { page } = await newMember()
  // Simulates the application, which receives the code on the user's machine.
  const redirectUri = `${portal.origin}/callback`
  await page.context().route(`${redirectUri}**`, (route) => route.fulfill({ body: 'Connected. You can close this window.' }))
  const { client_id } = await registerClient(portal.pool, Registration.parse({ client_name: 'Notebook', redirect_uris: [redirectUri] }))
  const parameters = { client_id, redirect_uri: redirectUri, response_type: 'code', code_challenge: 'a'.repeat(43), code_challenge_method: 'S256', state: 's1' }
  const path = `/portal/connect?${new URLSearchParams({ ...parameters, scope: 'rates:read history:read' })}`
  await page.goto(path)
  await expect(page.getByRole('heading', { name: 'Connect Notebook' })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'history:read' })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'offers:read' })).not.toBeChecked()
  await expectAccessible(page)
  await lookAt(page, '/portal/connect')
  await page.getByLabel('Monthly cap in credits').fill('40')
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('Connected. You can close this window.')).toBeVisible()
  const returned = new URL(page.url()).searchParams
  expect([returned.get('state'), returned.get('iss')]).toEqual(['s1', portal.origin])
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: returned.get('code') ?? '',
    client_id,
    redirect_uri: redirectUri,
    code_verifier: 'wrong',
  })
  expect((await fetch(`${portal.origin}/oauth/token`, { method: 'POST', body })).status).toBe(400)
  await page.goto(path)
  await page.getByRole('link', { name: 'Deny' }).click()
  await expect(page.getByText('Connected. You can close this window.')).toBeVisible()
  expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
})
