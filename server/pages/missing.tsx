import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { NotFoundWords } from '#components/site/not-found-words.tsx'
import { setAnswerStatus } from '#server/api/http/answer-status.ts'

export const missingMetadata: Metadata = { title: 'Page not found', robots: { index: false } }

/**
 * What a page returns whose address names nothing: the words for it, with the status 404. `notFound()` of Next sends an empty body, which only a script fills
 * (issue 62228 of Next), so it is left to hosts where nothing else can set the status.
 */
export function missing(words: ReactNode = <NotFoundWords />): ReactNode {
  if (!setAnswerStatus(404)) notFound()
  return words
}
