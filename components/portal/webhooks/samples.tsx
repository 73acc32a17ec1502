import { JsonBlock } from '#components/data/json-block.tsx'

export type Sample = { readonly type: string; readonly data: object }

/** What an endpoint gets, one example of each of its events, from the sample data. */
export function Samples({ samples }: { samples: readonly Sample[] }) {
  return (
    <section aria-labelledby="samples" className="mt-10">
      <h2 id="samples" className="text-h2 font-semibold">
        What we send
      </h2>
      <p className="mt-1 mb-2 text-pretty text-ink-2">The data of each event, as a test event has them.</p>
      {samples.map(({ type, data }) => (
        <details key={type} className="border-b border-line py-2">
          <summary className="min-h-8 cursor-pointer font-mono text-table">{type}</summary>
          <JsonBlock value={data} />
        </details>
      ))}
    </section>
  )
}
