import { expect } from '@playwright/test'
import { goodPassword } from '../tests/portal/support/portal-fixture.ts'
import { pressEnterOn } from './support/keyboard.ts'
import { lookAt } from './support/look-at.ts'
import { portalTest } from './support/portal-test.ts'

const test = portalTest()

test('edits a key in place, and asks for the password only before it gives the key more access', async ({ portal, newMember }) => {
  const member = await newMember()
  const { page } = member
  const { key } = await portal.liveKey(member, { name: 'Feed', spendCapCredits: 3 })
  expect((await portal.call(key, '/rates?limit=3')).status).toBe(200)
  expect(await portal.call(key, '/rates?limit=1')).toMatchObject({ status: 402, body: { reason: 'spend_cap' } })
  await page.goto('/docs/errors/insufficient_scope')
  await expect(page.getByText('Add the scope named in required to the key')).toBeVisible()
  await page.getByRole('link', { name: 'Open your keys' }).click()
  await page.getByRole('link', { name: 'Feed' }).click()
  await expect(page.getByText('edit the key and raise its cap.')).toBeVisible()
  await pressEnterOn(page, page.getByRole('button', { name: 'Edit key' }))
  await lookAt(page, '/portal/keys/[id]', 'edit')
  await page.getByLabel('Monthly cap in credits').fill('much')
  await page.getByRole('button', { name: 'Save key' }).click()
  await expect(page.getByRole('alert').getByRole('link', { name: 'Monthly cap must be a whole number of credits.' })).toBeVisible()
  await lookAt(page, '/portal/keys/[id]', 'edit refused')
  await portal.sql("UPDATE portal_session SET created_at = now() - interval '11 minutes', reauthenticated_at = NULL WHERE account_id = $1", [member.id])
  // Changing the name and restricting the allowed IP addresses requires no password.
  await page.getByLabel('Monthly cap in credits').fill('3')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Price feed')
  await page.getByLabel('Allowed IPs').fill('127.0.0.0/8')
  await page.getByRole('button', { name: 'Save key' }).click()
  await expect(page.getByText('Key updated', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Price feed' })).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: /^127\.0\.0\.0\/8$/ })).toBeVisible()
  await page.getByRole('button', { name: 'Edit key' }).click()
  await page.getByLabel('Monthly cap in credits').fill('5')
  await page.getByRole('checkbox', { name: 'providers:read' }).check()
  await page.getByRole('button', { name: 'Save key' }).click()
  await page.getByLabel('Your password', { exact: true }).fill(goodPassword)
  await lookAt(page, '/portal/keys/[id]', 'confirm')
  await page.getByRole('button', { name: 'Confirm and continue' }).click()
  await expect(page.getByText('3 of 5 credits (50p)')).toBeVisible()
  expect([(await portal.call(key, '/rates?limit=1')).status, (await portal.call(key, '/providers?limit=1')).status]).toEqual([200, 200])
})

test('shows the old key below the new one after a rotation, and revokes it early', async ({ portal, newMember }) => {
  const member = await newMember()
  const { page } = member
  const old = await portal.liveKey(member, { name: 'Feed' })
  await portal.liveKey(member, { name: 'Other' })
  await page.goto(`/portal/keys/${old.id}`)
  await page.getByLabel('In 24 hours').check()
  await page.getByRole('button', { name: 'Rotate key' }).click()
  await expect(page.getByText('Your key is shown once.')).toBeVisible()
  const next = (await page.locator('[data-key]').textContent()) ?? ''
  await page.getByRole('button', { name: "I've saved this key" }).click()
  await page.goto('/portal/keys')
  const states = await page.getByRole('table', { name: 'API keys' }).getByRole('row').allInnerTexts()
  expect(states.slice(1).map((row) => [row.includes(next.slice(-4)), row.includes(old.key.slice(-4)), /Replaced\s+expires/.test(row)])).toEqual([
    [true, false, false],
    [false, true, true],
    [false, false, false],
  ])
  await page
    .getByRole('row', { name: next.slice(-4) })
    .getByRole('link')
    .click()
  await expect(page.getByRole('heading', { name: 'The old key still works' })).toBeVisible()
  await lookAt(page, '/portal/keys/[id]', 'old key works')
  expect((await portal.call(old.key)).status).toBe(200)
  await pressEnterOn(page, page.getByRole('button', { name: 'Revoke the old key now' }))
  await expect(page.getByText('Old key revoked', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'The old key still works' })).toHaveCount(0)
  expect([(await portal.call(old.key)).body['error'], (await portal.call(next)).status]).toEqual(['key_revoked', 200])
})
