import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { NotFoundWords } from '#components/portal/not-found-words.tsx'
import { missing, missingMetadata } from './missing.tsx'
import { signedIn } from './portal-caller.ts'

/** What a page of the portal returns whose address names nothing of this account. */
export const missingThing = (): ReactNode => missing(<NotFoundWords />)

/** The title of a page about a thing: its own name, when it has one that can be said, and that of a missing page when there is no such thing. */
export async function titled<Thing>(title: string, read: () => Promise<Thing | null>, nameOf: (thing: Thing) => string = () => ''): Promise<Metadata> {
  if ((await signedIn()).state === 'blocked') return { title }
  const thing = await read()
  if (thing === null) return missingMetadata
  const name = nameOf(thing)
  return { title: name === '' ? title : name }
}
