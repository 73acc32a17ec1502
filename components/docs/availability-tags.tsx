import { Tag, type Tone } from '#components/ui/tag.tsx'

export type Availability = { readonly availability: 'Open' | 'Test only' | 'Coming soon'; readonly plan: string | null }

const tones = { Open: 'good', 'Test only': 'test', 'Coming soon': 'plain' } as const satisfies Record<Availability['availability'], Tone>

/** Tags for the availability and the required plan of an endpoint. */
export function AvailabilityTags({ availability, plan }: Availability) {
  return (
    <>
      <Tag tone={tones[availability]}>{availability}</Tag>
      {plan === null ? null : <Tag tone="plain">{plan}</Tag>}
    </>
  )
}
