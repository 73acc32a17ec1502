import { expect } from '@playwright/test'
import { lookAt } from './support/look-at.ts'
import { portalTest } from './support/portal-test.ts'

const test = portalTest()

test('an administrator opens, updates and resolves an incident, and a visitor sees each step', async ({ page, newAdministrator }) => {
  const visitor = page
  const { page: admin } = await newAdministrator()
  await visitor.goto('/status')
  await expect(visitor.getByRole('status')).toContainText('All systems operational.')

  await admin.goto('/admin/incidents')
  await expect(admin.getByText('No incidents.')).toBeVisible()
  await admin.getByRole('link', { name: 'Report incident' }).click()
  await expect(admin.getByRole('heading', { level: 1, name: 'Report incident' })).toBeVisible()
  await lookAt(admin, '/admin/incidents/new')
  await admin.getByRole('button', { name: 'Preview' }).click()
  await expect(admin.getByRole('alert').getByRole('link', { name: 'Enter a title.' })).toBeVisible()
  await admin.getByLabel('Title', { exact: true }).fill('Rates are delayed')
  await admin.getByLabel('Text', { exact: true }).fill('We look for the cause.')
  await admin.getByLabel('Why').fill('Alerts since noon.')
  await admin.getByRole('button', { name: 'Preview' }).click()
  await expect(admin.getByText('No one will be emailed: there are no subscribers.')).toBeVisible()
  await admin.getByRole('button', { name: 'Publish incident' }).click()
  await admin.waitForURL('**/admin/incidents/inc_*')
  await lookAt(admin, '/admin/incidents/[id]')

  await visitor.reload()
  await expect(visitor.getByRole('status')).toContainText('The service is slower or less reliable than usual.')
  await expect(visitor.getByRole('article', { name: /Rates are delayed/ })).toContainText('We look for the cause.')
  await lookAt(visitor, '/status', 'with an incident')

  await admin.getByRole('radio', { name: 'Resolved' }).check()
  await expect(admin.getByLabel('End (UTC)')).toBeVisible()
  await admin.getByLabel('Text', { exact: true }).fill('Rates are current again.')
  await admin.getByLabel('Why').fill('The source is back.')
  await admin.getByRole('button', { name: 'Preview' }).click()
  await admin.getByRole('button', { name: 'Publish update' }).click()
  await expect(admin.getByRole('article', { name: /Rates are delayed/ })).toContainText('Rates are current again.')
  await expect(admin.getByRole('heading', { name: 'Add an update' })).toBeHidden()
  await admin.goto('/admin/incidents')
  await expect(admin.getByRole('row', { name: /Rates are delayed/ })).toContainText('Resolved')
  await lookAt(admin, '/admin/incidents')

  await visitor.reload()
  await expect(visitor.getByRole('status')).toContainText('All systems operational.')
  await expect(visitor.getByRole('region', { name: 'Past incidents' })).toContainText('Rates are current again.')
})

test('a visitor signs up for status emails, confirms and unsubscribes without JavaScript', async ({ newPage, portal }) => {
  const page = await newPage({ javaScriptEnabled: false })
  const email = portal.newEmail()
  await page.goto('/status')
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Email me about incidents' }).click()
  await expect(page.getByText('Check your email.')).toBeVisible()
  await page.goto(await portal.link(email))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText(`We email ${email} about incidents and their updates.`)).toBeVisible()
  const shown = await newPage()
  await shown.goto(page.url())
  await lookAt(shown, '/status/follow/[id]')
  await page.getByRole('button', { name: 'Stop status emails' }).click()
  await expect(page.getByText("You won't get any more status emails.")).toBeVisible()
  await shown.goto('/status/follow')
  await lookAt(shown, '/status/follow')
})
