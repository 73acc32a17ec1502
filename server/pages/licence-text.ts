import { docsText, licencePage, licences } from '#server/api/documents/docs/docs-pages.ts'
import { nextService } from '#server/runtime/next-service.ts'
import { siteFacts } from './site-facts.ts'

/** A version of the Data Licence as its page shows it. */
export type LicenceText = {
  readonly label: string
  readonly path: `/${string}`
  readonly title: string
  readonly description: string
  /** Markdown, without the title. */
  readonly text: string
}

/** A version by its label; null: the one in force. Null is answered when no such version has been published. Older ones stay readable. */
export async function licenceText(asked: string | null): Promise<LicenceText | null> {
  const facts = await siteFacts()
  const label = asked ?? facts.licence
  const path = `/licence/${label}` as const
  const page = licences.find((one) => one.path === path)
  if (page !== undefined) return { ...page, label, text: await docsText(page, facts) }
  // What comes with the service is readable without the database; what was published at the desk stands there.
  const text = label.length > 20 ? null : await (await nextService()).licence(label)
  if (text === null) return null
  return { ...licencePage(label), label, text }
}

/** Where a version stands among the others. */
export const licencePlace = async (label: string) =>
  (await nextService()).licencePlace(
    label,
    licences.map(({ path }) => path.slice('/licence/'.length)),
  )
