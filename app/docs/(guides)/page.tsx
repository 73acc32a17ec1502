import type { Metadata } from 'next'
import { quickStart } from '#server/api/documents/docs/docs-pages.ts'
import { DocsGuide } from '#server/pages/markdown-pages.tsx'

const { title, description, path } = quickStart

export const metadata: Metadata = { title, description, alternates: { types: { 'text/markdown': `${path}.md` } } }

export default function QuickStartPage() {
  return <DocsGuide page={quickStart} />
}
