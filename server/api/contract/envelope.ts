import { z } from 'zod'

/** Text to display with the data under the Data Licence. */
export const attribution = 'Data: Savings Rates Data API, used under the Data Licence v2026-09'

/** The version of the Data Licence that is in force. */
export const dataLicence = 'v2026-09'

/** The `meta` of every 2xx answer. */
export const Meta = z.object({
  requestId: z
    .string()
    .regex(/^req_[0-9a-f]{32}$/)
    .describe('Request identifier, also in the header X-SVC-Request-Id.'),
  generatedAt: z.iso.datetime().describe('When the answer was built; a shared answer keeps the time of its first building.'),
  creditsCharged: z.int().min(0).describe('Credits taken by this request.'),
  creditsBalance: z.int().describe('Balance after this request.'),
  attribution: z.string().describe('Text to display under the Data Licence.'),
  limit: z.int().min(0).optional().describe('On lists: the page size applied, after clamping or reduction.'),
  nextCursor: z.string().nullable().optional().describe('On lists: token of the next page, or null when there is none.'),
  sample: z.boolean().describe('True when the data are sample data of a test key.'),
})

export type Meta = z.infer<typeof Meta>
