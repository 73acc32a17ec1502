import { CodeTabList } from '#components/docs/code-lines.tsx'
import type { Snippet } from './snippets.ts'

/** Example call in several languages, without highlighting, because the browser renders it too. */
export function SnippetTabs({ name, snippets }: { name: string; snippets: readonly Snippet[] }) {
  return <CodeTabList name={name} tabs={snippets.map((one) => ({ ...one, lines: one.code.split('\n').map((text) => [{ text, kind: 'plain' }]) }))} />
}
