import type { Metadata } from 'next'
import { LicencePage, licenceText } from '#server/pages/licence-page.tsx'
import { missing, missingMetadata } from '#server/pages/missing.tsx'

type Props = { params: Promise<{ version: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const licence = await licenceText((await params).version)
  if (licence === null) return missingMetadata
  const { title, description, path } = licence
  return { title, description, alternates: { types: { 'text/markdown': `${path}.md` } } }
}

export default async function LicenceVersionPage({ params }: Props) {
  const licence = await licenceText((await params).version)
  return licence === null ? missing() : <LicencePage licence={licence} />
}
