import { expect, test } from 'vitest'
import { citedIds } from './citations.ts'

test.each([
  ['one id', `verifies('a/b', async () => {})`, ['a/b']],
  ['one id in double quotes', `verifies("a/b", 'title', run)`, ['a/b']],
  ['a list', `verifies(['a/b', 'a/c'], run)`, ['a/b', 'a/c']],
  ['a list over several lines', `verifies(\n  [\n    'a/b',\n    'a/c',\n  ],\n  'title',\n  run,\n)`, ['a/b', 'a/c']],
  ['a list with comments', `verifies([\n  'a/b', // one\n  /* two */ 'a/c',\n], run)`, ['a/b', 'a/c']],
  ['cites with several ids', `cites('a/b', 'a/c')`, ['a/b', 'a/c']],
  ['calls in a loop', `for (const at of mounts) {\n  verifies('a/b', at.name, run)\n}`, ['a/b']],
  ['calls after ambiguous syntax', `const a = /['"\`]\\//\nconst b = x / y\nconst c = \`it's \${b}\`\nconst d = "it's"\nverifies('a/b', run)`, ['a/b']],
  ['calls after a URL', `const url = 'http://127.0.0.1/*'\nverifies('a/b', run)\nconst end = '*/'`, ['a/b']],
])('finds %s', (_, source, ids) => {
  expect(citedIds(source)).toEqual(ids)
})

test.each([
  ['a line comment', `// verifies('a/b', run)`],
  ['a block comment', `/**\n * verifies('a/b', run)\n * cites('a/c')\n */`],
  ['a string', `const example = "verifies('a/b', run)"`],
  ['a template', `const example = \`cites('a/b')\``],
  ['another function', `check('a/b')\nnotVerifies('a/b')`],
  ['a method', `page.cites('a/b')`],
  ['a title', `verifies(id, 'a/b', run)`],
  ['a computed id', `verifies(\`a/\${name}\`, run)`],
  ['an import', `import { cites, verifies } from './verifies.ts'`],
])('finds nothing in %s', (_, source) => {
  expect(citedIds(source)).toEqual([])
})
