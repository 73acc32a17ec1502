import { z } from 'zod'
import { productName } from './product-name.ts'

/** Attribution that the Data Licence requires next to displayed data. */
export const attribution = `Data: ${productName}, used under the Data Licence v2026-09`

/** Current version of the Data Licence. */
export const dataLicence = 'v2026-09'

/** Schema of `meta` in every 2xx response. */
export const Meta = z.object({
  requestId: z
    .string()
    .regex(/^req_[0-9a-f]{32}$/)
    .describe('Request ID, also sent in the X-SVC-Request-Id header.'),
  generatedAt: z.iso.datetime().describe('Time the response was built. A cached response keeps its original time.'),
  creditsCharged: z.int().min(0).describe('Credits charged for this request.'),
  creditsBalance: z.int().describe('Balance after this request.'),
  attribution: z.string().describe('Attribution line that the Data Licence requires you to show with the data.'),
  limit: z
    .int()
    .min(0)
    .optional()
    .describe('On lists: applied page size, which is lower than requested if the request exceeded the maximum or the credits that you can spend.'),
  nextCursor: z.string().nullable().optional().describe('On lists: cursor of the next page, or null on the last page.'),
  updatedUntil: z.iso
    .datetime()
    .optional()
    .describe('On /rates, /providers and /switch-offers: pass it as updatedSince next time to get every change since the first page of this list.'),
  sample: z.boolean().describe('True if the data is sample data (test keys).'),
})

export type Meta = z.infer<typeof Meta>
