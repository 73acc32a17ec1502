/** Impacts of an incident, worst first, with the headline of the status page. */
export const incidentImpacts = {
  outage: { label: 'Outage', headline: 'Part of the service is down.' },
  degraded: { label: 'Degraded performance', headline: 'The service is slower or less reliable than usual.' },
  delayed: { label: 'Delayed data', headline: 'Data is delayed.' },
  maintenance: { label: 'Maintenance', headline: 'Maintenance is in progress.' },
} as const

export type IncidentImpact = keyof typeof incidentImpacts

export const incidentImpactNames = Object.keys(incidentImpacts) as IncidentImpact[]

/** States of an incident. Each update has one, and the last one is the state of the incident. */
export const incidentStates = { investigating: 'Investigating', identified: 'Identified', monitoring: 'Monitoring', resolved: 'Resolved' } as const

export type IncidentState = keyof typeof incidentStates

export const incidentStateNames = Object.keys(incidentStates) as IncidentState[]

export type IncidentUpdate = { readonly state: IncidentState; readonly body: string; readonly at: Date }

/** Incident with its updates, newest first. `resolvedAt` is null while the incident is open. */
export type Incident = {
  readonly id: string
  readonly title: string
  readonly impact: IncidentImpact
  readonly startedAt: Date
  readonly resolvedAt: Date | null
  readonly updates: readonly IncidentUpdate[]
}
