import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { NotFoundContent } from '#components/portal/missing-content.tsx'
import { missing, missingMetadata } from './missing.tsx'
import { signedIn } from './portal-caller.ts'

/** Returns the portal's 404 page. */
export const missingThing = (): ReactNode => missing(<NotFoundContent />)

/**
 * Returns the metadata of a page about an entity. The title is the name of the entity, or `title` if it has none. For a missing one, it is that of the 404
 * page.
 */
export async function titled<Thing>(title: string, read: () => Promise<Thing | null>, toName: (thing: Thing) => string = () => ''): Promise<Metadata> {
  if ((await signedIn()).state === 'blocked') return { title }
  const thing = await read()
  if (thing === null) return missingMetadata
  const name = toName(thing)
  return { title: name === '' ? title : name }
}

/** Renders the 404 page of an admin page. */
export const adminNotFound = (): ReactNode => missing(<NotFoundContent />)
