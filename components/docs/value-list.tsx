type Props = {
  values: readonly string[]
  /** Number of values to show, if all of them are listed elsewhere. If there is only one more, it is shown too. */
  shown?: number
}

/** Returns the range of a number as a sentence: `From 1 to 600.` */
export const rangeText = (range: string): string => `${range.charAt(0).toUpperCase()}${range.slice(1)}.`

/** Allowed values of a parameter or field, as a sentence. */
export function ValueList({ values, shown = values.length }: Props) {
  const listed = values.length > shown + 1 ? values.slice(0, shown) : values
  const rest = values.length - listed.length
  return (
    <>
      One of{' '}
      {listed.map((value, index) => (
        <span key={value}>
          {index === 0 ? null : ', '}
          <code className="inline-code whitespace-nowrap">{value}</code>
        </span>
      ))}
      {rest === 0 ? (
        '.'
      ) : (
        <>
          {' '}
          <span className="whitespace-nowrap">+{rest} more.</span>
        </>
      )}
    </>
  )
}
