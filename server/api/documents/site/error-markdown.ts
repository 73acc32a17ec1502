import { code, json, markdownCode, markdownList, markdownTable } from '../docs/write-markdown.ts'
import type { ErrorPage } from '../error-pages.ts'

/** Returns the page of an error as Markdown, without its title. */
export function errorMarkdown({ status, why, next, fields, example }: ErrorPage): string {
  const rows = fields.map(({ name, text }) => [code(name), text])
  return [
    `HTTP status ${status}. Never charged.`,
    `## Why\n\n${why}`,
    `## What to do next\n\n${markdownList(next)}`,
    `## Extra fields\n\n${rows.length === 0 ? 'None besides the four common fields.' : markdownTable(['Field', ''], rows)}`,
    `## Example response\n\n${markdownCode('json', json(example))}`,
  ].join('\n\n')
}
