import { Tag, type Tone } from '#components/ui/tag.tsx'

export type Availability = { readonly availability: 'Open' | 'Test only' | 'Coming soon'; readonly plan: string | null }

export const availabilityTones = { Open: 'good', 'Test only': 'test', 'Coming soon': 'plain' } as const satisfies Record<Availability['availability'], Tone>

/** Tags for the availability and the required plan of an endpoint. */
export function AvailabilityTags({ availability, plan }: Availability) {
  return (
    <>
      <Tag tone={availabilityTones[availability]}>{availability}</Tag>
      {plan === null ? null : <Tag tone="plain">{plan}</Tag>}
    </>
  )
}
