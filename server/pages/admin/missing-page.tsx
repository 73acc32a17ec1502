import type { ReactNode } from 'react'
import { NotFoundContent } from '#components/portal/missing-content.tsx'
import { missing } from '../missing.tsx'

/** Renders the 404 page of an admin page. */
export const adminNotFound = (): ReactNode => missing(<NotFoundContent />)
