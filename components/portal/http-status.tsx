import { Tag, type Tone } from '#components/ui/tag.tsx'

function toneOf(status: number): Tone {
  if (status >= 500) return 'danger'
  if (status >= 400) return 'caution'
  return status === 304 ? 'plain' : 'good'
}

type Props = {
  status: number
  error: string | null
  /** On a narrow screen the number alone is seen: beside the call there is no room for a long code. */
  isShort?: boolean
}

/** The status of an answer, with the code of its error. */
export function HttpStatus({ status, error, isShort = false }: Props) {
  return (
    <Tag tone={toneOf(status)}>
      {status}
      {error === null ? null : <span className={isShort ? 'max-md:sr-only' : undefined}> {error}</span>}
    </Tag>
  )
}
