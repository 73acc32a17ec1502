import type { ReactNode } from 'react'
import { NotFoundWords } from '#components/portal/not-found-words.tsx'
import { missing } from '../missing.tsx'

/** Renders the 404 page of an admin page. */
export const adminNotFound = (): ReactNode => missing(<NotFoundWords />)
