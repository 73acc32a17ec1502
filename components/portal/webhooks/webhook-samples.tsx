import { JsonBlock } from '#components/data/json-block.tsx'
import { Chevron } from '#components/ui/chevron.tsx'

export type Sample = { readonly type: string; readonly data: object }

/** Example payloads of an endpoint's events, from the sample data. */
export function Samples({ samples }: { samples: readonly Sample[] }) {
  return (
    <section aria-labelledby="samples">
      <h2 id="samples" className="text-h2 font-semibold">
        Example payloads
      </h2>
      <p className="mt-1 mb-2 text-pretty text-ink-2">The payload of each event, as sent in test events.</p>
      {samples.map(({ type, data }) => (
        <details key={type} className="group border-b border-line py-1">
          <summary className="flex min-h-9 cursor-pointer list-none items-center gap-2 font-mono text-table hover:text-accent [&::-webkit-details-marker]:hidden">
            <Chevron />
            {type}
          </summary>
          <JsonBlock value={data} />
        </details>
      ))}
    </section>
  )
}
