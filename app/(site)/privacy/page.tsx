import type { Metadata } from 'next'
import { privacy } from '#server/api/documents/docs/docs-pages.ts'
import { LegalPage } from '#server/pages/markdown-pages.tsx'

const { title, description, path } = privacy

export const metadata: Metadata = { title, description, alternates: { canonical: path, types: { 'text/markdown': `${path}.md` } } }

export default function PrivacyPage() {
  return <LegalPage page={privacy} />
}
