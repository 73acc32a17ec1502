/** Escapes the text of a table cell. */
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

type Side = 'left' | 'right'

/** Returns a Markdown table. Renderers hide an empty header. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[], sides: readonly Side[] = []): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), `|${head.map((_, at) => (sides[at] === 'right' ? '--:' : '---')).join('|')}|`, ...rows.map(line)].join('\n')
}

export const markdownList = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n')

/** Returns a fenced code block. `title` follows the language in the opening fence. */
export const markdownCode = (language: string, code: string, title = ''): string => `\`\`\`${language}${title === '' ? '' : ` ${title}`}\n${code}\n\`\`\``

export const code = (text: string): string => `\`${text}\``

export const json = (value: unknown): string => JSON.stringify(value, null, 2)

const grouped = new Intl.NumberFormat('en-GB')

export const count = (value: number): string => grouped.format(value)
