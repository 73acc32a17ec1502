/** Allowed values of a parameter or field, as a sentence. */
export const ValueList = ({ values }: { values: readonly string[] }) => (
  <>
    One of{' '}
    {values.map((value, index) => (
      <span key={value}>
        {index === 0 ? null : ', '}
        <code className="font-mono wrap-anywhere">{value}</code>
      </span>
    ))}
    .
  </>
)
