import { docsText, licencePage, licences } from '#server/api/documents/docs/docs-pages.ts'
import { nextService } from '#server/runtime/next-service.ts'
import { siteData } from './site-data.ts'

/** Version of the Data Licence, as shown on its page. */
export type LicenceText = {
  readonly label: string
  readonly path: `/${string}`
  readonly title: string
  readonly description: string
  /** Markdown, without the title. */
  readonly text: string
}

/** Returns a version by its label, or the one in force if null. Superseded versions stay available. Returns null if the version was never published. */
export async function licenceText(asked: string | null): Promise<LicenceText | null> {
  const facts = await siteData()
  const label = asked ?? facts.licence
  const path = `/licence/${label}` as const
  const page = licences.find((one) => one.path === path)
  if (page !== undefined) return { ...page, label, text: await docsText(page, facts) }
  // Bundled versions need no database; versions published by an administrator are stored in it.
  const text = label.length > 20 ? null : await (await nextService()).licence(label)
  if (text === null) return null
  return { ...licencePage(label), label, text }
}

/** Returns the neighbours of a version, and the newest version. */
export const licencePlace = async (label: string) =>
  (await nextService()).licencePlace(
    label,
    licences.map(({ path }) => path.slice('/licence/'.length)),
  )
