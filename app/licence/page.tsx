import type { Metadata } from 'next'
import { LicencePage, licenceText } from '#server/pages/licence-page.tsx'
import { missing, missingMetadata } from '#server/pages/missing.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const licence = await licenceText(null)
  if (licence === null) return missingMetadata
  const { title, description, path } = licence
  return { title, description, alternates: { canonical: path } }
}

/** Renders the current version of the Data Licence, at a permanent URL. */
export default async function CurrentLicencePage() {
  const licence = await licenceText(null)
  return licence === null ? missing() : <LicencePage licence={licence} />
}
