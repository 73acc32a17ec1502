import type { ReactNode } from 'react'
import { NotFoundWords } from '#components/portal/not-found-words.tsx'
import { missing } from '../missing.tsx'

/** What a page of the desk returns whose address names nothing. */
export const adminNotFound = (): ReactNode => missing(<NotFoundWords />)
