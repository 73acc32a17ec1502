'use client'

import type { ComponentProps } from 'react'
import { ButtonLink } from './button.tsx'
import { useReadOnly } from './form-context.tsx'

/** Link to a form that changes something. Hidden while forms are read-only. */
export function ChangeLink(props: ComponentProps<typeof ButtonLink>) {
  return useReadOnly() ? null : <ButtonLink {...props} />
}
