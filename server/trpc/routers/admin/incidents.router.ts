import { z } from 'zod'
import { incidentImpactNames, incidentImpacts, incidentStateNames, incidentStates } from '#server/api/contract/incidents.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'
import { moment } from '#server/email/templates/account-emails.ts'
import { findIncident, maxIncidentText, openIncident, publishedIncidents, toIncidentTimes, updateIncident } from '#server/status/incidents.ts'
import { countSubscribers } from '#server/status/subscribers.ts'
import { forAdmin, PublicId, router } from '../../procedures.ts'
import { adminActor, ReasonInput, recentAdmin } from './admin-input.ts'

const utcTime = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)$/

/** Start or end of an incident in UTC, such as `2026-11-26 14:05`; an empty text means now. */
const utcMoment = (name: 'start' | 'end') =>
  z
    .string()
    .trim()
    .max(40)
    .default('')
    .transform((text, { addIssue }) => {
      if (text === '') return null
      const [, day, time] = utcTime.exec(text) ?? []
      const at = Date.parse(`${day}T${time}:00Z`)
      // The pattern is checked too, because Date.parse reads almost any text as some date.
      if (day !== undefined && !Number.isNaN(at)) return new Date(at)
      addIssue(`The ${name} must be a UTC time such as 2026-11-26 14:05.`)
      return z.NEVER
    })

const Update = z.object({
  impact: z.enum(incidentImpactNames, 'Choose an impact.'),
  state: z.enum(incidentStateNames, 'Choose a state.'),
  body: z.string().trim().min(1, 'Enter what customers should know.').max(maxIncidentText.body, `The text can have up to ${maxIncidentText.body} characters.`),
  endedAt: utcMoment('end'),
  ...ReasonInput.shape,
})

const Opening = Update.extend({
  title: z
    .string()
    .trim()
    .min(1, 'Enter a title.')
    .max(maxIncidentText.title, `The title can have up to ${maxIncidentText.title} characters.`)
    .regex(/^[^\p{Cc}]*$/u, 'The title must be one line.'),
  startedAt: utcMoment('start'),
})

const IncidentId = z.object({ id: PublicId })

/** Incident or update to preview. A form without a title publishes an update on the incident with the id. */
const Planned = Opening.omit({ reason: true }).extend({ title: Opening.shape.title.nullable(), id: PublicId.nullable().default(null) })

/** Describes what publishing does before the administrator confirms it. @throws FieldsError for a bad start or end */
async function previewIncident(db: Database, planned: z.infer<typeof Planned>) {
  const { id, title, impact, state, body } = planned
  const [count, before] = [await countSubscribers(db), id === null ? null : await findIncident(db, id)]
  const { startedAt, resolvedAt } = toIncidentTimes(planned, before, new Date(clock.now()))
  const began = `Began on ${moment(startedAt.toISOString())}`
  return {
    lines: [
      ...(title === null ? [] : [title]),
      `${incidentImpacts[impact].label}, ${incidentStates[state]}: ${body}`,
      resolvedAt === null ? `${began}.` : `${began}, resolved on ${moment(resolvedAt.toISOString())}.`,
      state === 'resolved' ? 'The incident will move to past incidents.' : `The status page says: “${incidentImpacts[impact].headline}”`,
      'This will be published on the status page and in its feed. You can’t edit it afterwards.',
      count === 0
        ? 'No one will be emailed: there are no subscribers.'
        : `We’ll email ${count.toLocaleString('en-GB')} ${count === 1 ? 'subscriber' : 'subscribers'}.`,
    ],
  }
}

/** Incidents of the status page. The rules are in server/status. */
export const adminIncidentsRouter = router({
  list: forAdmin.query(({ ctx }) => publishedIncidents(ctx.db)),
  read: forAdmin.input(IncidentId).query(({ ctx, input }) => findIncident(ctx.db, input.id)),
  preview: forAdmin.input(Planned).query(({ ctx, input }) => previewIncident(ctx.db, input)),
  open: recentAdmin.input(Opening).mutation(async ({ ctx, input }) => ({ id: await openIncident(ctx.db, adminActor(ctx, input), input) })),
  update: recentAdmin.input(Update.extend(IncidentId.shape)).mutation(({ ctx, input }) => updateIncident(ctx.db, adminActor(ctx, input), input)),
})
