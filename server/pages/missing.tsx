import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { NotFoundContent } from '#components/site/fault-pages.tsx'
import { setAnswerStatus } from '#server/api/http/portal-answers.ts'

export const missingMetadata: Metadata = { title: 'Page not found', robots: { index: false } }

/**
 * Renders a 404 page with status 404. Next's `notFound()` sends an empty body that needs JavaScript (Next issue 62228), so it is only used where the status
 * can't be set in another way.
 */
export function missing(content: ReactNode = <NotFoundContent />): ReactNode {
  if (!setAnswerStatus(404)) notFound()
  return content
}
