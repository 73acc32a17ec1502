import { z } from 'zod'
import { planNames } from './access.ts'

/** Fields that an error code adds to the four common ones. Their descriptions appear on the page of the error and in the OpenAPI document. */
export const errorFields = {
  insufficient_credits: {
    required: z.int().min(0).describe('Price of one row, or of the call, in whole credits.'),
    balance: z.int().describe('Current balance in whole credits.'),
    topUp: z.url().describe('URL of the page where you buy credits.'),
    reason: z
      .enum(['spend_cap', 'max_credits', 'debt'])
      .optional()
      .describe(
        '`spend_cap` (monthly cap of the key or account), `max_credits` (X-SVC-Max-Credits) or `debt` (negative balance). Omitted if the balance is too low.',
      ),
  },
  key_revoked: { reason: z.literal('expired').optional().describe('`expired` if the key has expired; omitted if the key was revoked.') },
  account_blocked: {
    reason: z.string().nullable().describe('`review_pending`, `review_declined`, or the reason why we blocked the account; null if we gave no reason.'),
  },
  insufficient_scope: { required: z.string().describe('Scope that the endpoint needs.') },
  plan_upgrade_required: {
    requiredPlan: z.enum(planNames).describe('Lowest plan that includes the endpoint or parameter: `hobby`, `business` or `enterprise`.'),
  },
  rate_limited: { retryAfter: z.int().min(1).describe('Whole seconds to wait.') },
} as const
