import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { NotFoundContent as ThingNotFound } from '#components/portal/missing-content.tsx'
import { NotFoundContent } from '#components/site/fault-pages.tsx'
import { setAnswerStatus } from '#server/api/http/portal-answers.ts'
import { signedIn } from './portal-caller.ts'

export const missingMetadata: Metadata = { title: 'Page not found', robots: { index: false } }

/**
 * Renders a 404 page with status 404. Next's `notFound()` sends an empty body that needs JavaScript (Next issue 62228), so it is only used where the status
 * can't be set in another way.
 */
export function missing(content: ReactNode = <NotFoundContent />): ReactNode {
  if (!setAnswerStatus(404)) notFound()
  return content
}

/** Renders the 404 page of the portal. */
export const missingThing = (): ReactNode => missing(<ThingNotFound />)

/**
 * Returns the metadata of a page about an entity. The title is the name of the entity, or `title` if it has none. If the entity is missing, returns the metadata
 * of the 404 page.
 */
export async function titled<Thing>(title: string, read: () => Promise<Thing | null>, toName: (thing: Thing) => string = () => ''): Promise<Metadata> {
  if ((await signedIn()).state === 'blocked') return { title }
  const thing = await read()
  if (thing === null) return missingMetadata
  const name = toName(thing)
  return { title: name === '' ? title : name }
}

/** Renders the 404 page of the admin area. */
export const adminNotFound = (): ReactNode => missing(<ThingNotFound />)
