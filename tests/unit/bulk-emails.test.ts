import { expect, test } from 'vitest'
import { changeEmail } from '#server/email/templates/bulk-emails.ts'

const getParts = (body: string) =>
  changeEmail({ publicUrl: 'https://api.example.test', recipient: '' }, { entry: 'e', title: '`a` is **b**', body }).parts.flatMap((part) =>
    part.kind === 'text' ? [part.text] : [],
  )

test("strips Markdown from an email's text", () => {
  const body =
    '## What\r\n\r\n**Bold** and *stressed*, __also__, `code_name`, 2 * 3 * 4, snake_case_name.\r\n\r\n\r\n\r\n- one\r\n- **two**, see [prices](/docs/prices)\r\n'
  expect(getParts(body).slice(0, -1)).toEqual([
    'What',
    'Bold and stressed, also, code_name, 2 * 3 * 4, snake_case_name.',
    '- one',
    '- two, see prices (https://api.example.test/docs/prices)',
  ])
})

test("strips Markdown from an email's subject", () => {
  expect(changeEmail({ publicUrl: '', recipient: '' }, { entry: 'e', title: '`a` is **b**', body: 'x' }).subject).toBe('Changelog: a is b')
})
