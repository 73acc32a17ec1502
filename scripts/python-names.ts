/** Names and text in Python source code. */

const keywords = new Set([
  ...['False', 'None', 'True', 'and', 'as', 'assert', 'async', 'await', 'break', 'class', 'continue', 'def', 'del', 'elif', 'else', 'except', 'finally'],
  ...['for', 'from', 'global', 'if', 'import', 'in', 'is', 'lambda', 'nonlocal', 'not', 'or', 'pass', 'raise', 'return', 'try', 'while', 'with', 'yield'],
])

export const isKeyword = (name: string): boolean => keywords.has(name)

/** Converts `minTermMonths` to `min_term_months`, and `from` to `from_`. */
export function snake(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
  return isKeyword(words) ? `${words}_` : words
}

/** Converts `rate.changed` or `bySurvey` to `RateChanged` or `BySurvey`. */
export const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** Formats a string. JSON's escapes are valid in Python too. */
export const quoted = (text: string): string => JSON.stringify(text)

const maxWidth = 120

/** Wraps a paragraph to lines of at most 120 characters. */
function wrapped(text: string, first: string, next: string): string[] {
  const lines: string[] = []
  let line = first
  for (const word of text.split(/\s+/)) {
    if (line.trim() !== '' && line !== first && line.length + word.length + 1 > maxWidth) {
      lines.push(line)
      line = next + word
    } else line += line === first || line.endsWith(' ') ? word : ` ${word}`
  }
  return [...lines, line]
}

/** Formats a comment above a field. */
export const fieldComment = (text: string, indent: string): string =>
  wrapped(text, `${indent}#: `, `${indent}#: `)
    .map((line) => `${line}\n`)
    .join('')

/** Formats a docstring of paragraphs, and a list of arguments with their descriptions. */
export function docstring(paragraphs: readonly string[], args: readonly (readonly [name: string, text: string])[], indent: string): string {
  const plain = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")
  const inside = `${indent}    `
  const parts = paragraphs.map((paragraph) => wrapped(plain(paragraph), indent, indent).join('\n'))
  const listed = args.flatMap(([name, text]) => wrapped(plain(text), `${inside}${name}: `, `${inside}    `))
  const all = [...parts, ...(listed.length > 0 ? [`${indent}Args:\n${listed.join('\n')}`] : [])]
  return `${indent}"""\n${all.join('\n\n')}\n${indent}"""\n`
}
