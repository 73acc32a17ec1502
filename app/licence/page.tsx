import type { Metadata } from 'next'
import { currentLicence } from '../../server/publish/docs/docs-pages.ts'
import { LicencePage } from './licence-page.tsx'

const { title, description, path } = currentLicence

export const metadata: Metadata = { title, description, alternates: { canonical: path } }

/** The version in force, at an address that stays. */
export default function CurrentLicencePage() {
  return <LicencePage page={currentLicence} />
}
