import { JsonBlock } from '#components/data/json-block.tsx'

export type Sample = { readonly type: string; readonly data: object }

/** Example payloads of an endpoint's events, from the sample data. */
export function Samples({ samples }: { samples: readonly Sample[] }) {
  return (
    <section aria-labelledby="samples" className="mt-10">
      <h2 id="samples" className="text-h2 font-semibold">
        Example payloads
      </h2>
      <p className="mt-1 mb-2 text-pretty text-ink-2">The payload of each event, as sent in test events.</p>
      {samples.map(({ type, data }) => (
        <details key={type} className="border-b border-line py-2">
          <summary className="min-h-8 cursor-pointer font-mono text-table">{type}</summary>
          <JsonBlock value={data} />
        </details>
      ))}
    </section>
  )
}
