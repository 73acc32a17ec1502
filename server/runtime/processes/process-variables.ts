import { z } from 'zod'

const maxGateways = 64
const maxDrainSeconds = 300
const maxNiceness = 19

const wholeNumber = (least: number, most: number, what: string) =>
  z
    .string()
    .refine((text) => /^\d{1,3}$/.test(text) && Number(text) >= least && Number(text) <= most, `must be a number of ${what} from ${least} to ${most}`)
    .transform(Number)

/** Environment variables for the number of processes, the drain and the priority of the portal. */
export const processVariables = {
  GATEWAY_PROCESSES: wholeNumber(1, maxGateways, 'processes').default(1),
  DRAIN_SECONDS: wholeNumber(0, maxDrainSeconds, 'seconds').default(0),
  PORTAL_NICENESS: wholeNumber(0, maxNiceness, 'steps').default(10),
} as const

type ProcessValues = { GATEWAY_PROCESSES: number; ROLES: ReadonlySet<string>; NODE_ENV?: string | undefined }

/** Rejects several processes without the gateway role, and in development: hot reload needs a single process for all requests. */
export function checkProcesses({ GATEWAY_PROCESSES: gateways, ROLES: roles, NODE_ENV: mode }: ProcessValues, ctx: z.RefinementCtx): void {
  if (gateways === 1) return
  const fault = (message: string) => ctx.addIssue({ code: 'custom', path: ['GATEWAY_PROCESSES'], message })
  if (!roles.has('gateway')) fault('must be 1 while ROLES has no gateway')
  if (mode === 'development') fault('must be 1 while NODE_ENV is development')
}
