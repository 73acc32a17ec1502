import type { Metadata } from 'next'
import { licences } from '../../../server/publish/docs/docs-pages.ts'
import { missing, missingMetadata } from '../../missing.tsx'
import { LicencePage } from '../licence-page.tsx'

type Props = { params: Promise<{ version: string }> }

async function find(params: Props['params']) {
  const path = `/licence/${(await params).version}`
  return licences.find((page) => page.path === path)
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = await find(params)
  if (page === undefined) return missingMetadata
  return { title: page.title, description: page.description, alternates: { types: { 'text/markdown': `${page.path}.md` } } }
}

export default async function LicenceVersionPage({ params }: Props) {
  const page = await find(params)
  if (page === undefined) return missing()
  return <LicencePage page={page} />
}
