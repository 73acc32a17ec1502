import { Tag, type Tone } from '#components/ui/tag.tsx'

function getTone(status: number): Tone {
  if (status >= 500) return 'danger'
  if (status >= 400) return 'caution'
  return status === 304 ? 'plain' : 'good'
}

type Props = {
  status: number
  error: string | null
  /** Hides the error code on narrow screens. */
  isShort?: boolean
}

/** HTTP status of a response, with its error code. */
export function HttpStatus({ status, error, isShort = false }: Props) {
  return (
    <Tag tone={getTone(status)}>
      {status}
      {error === null ? null : <span className={isShort ? 'max-md:sr-only' : undefined}> {error}</span>}
    </Tag>
  )
}
