import { z } from 'zod'
import { wholeNumber } from '#server/api/contract/whole-number.ts'
import { isLoopbackHost, isLoopbackUrl } from './loopback.ts'

const webUrl = z.string().regex(/^https?:\/\/[^\s/]+$/, 'must be an absolute URL such as https://api.example.com, without a path or trailing slash')

/** Environment variables that control who can reach the service. */
export const exposureVariables = {
  NODE_ENV: z.string().optional(),
  HOST: z.string().optional(),
  PUBLIC_URL: webUrl.optional(),
} as const

type ExposureValues = z.infer<z.ZodObject<typeof exposureVariables>>

/** Rejects settings that expose development features to other machines: reading all email, simulated payments, the demonstration account. */
export function checkExposure({ NODE_ENV: mode, HOST: host, PUBLIC_URL: url }: ExposureValues, ctx: z.RefinementCtx): void {
  if (mode === 'production') return
  const names: string[] = []
  if (host !== undefined && !isLoopbackHost(host)) names.push('HOST')
  // The schema reports an invalid URL.
  if (webUrl.safeParse(url).success && !isLoopbackUrl(String(url))) names.push('PUBLIC_URL')
  if (names.length === 0) return
  const message = `must be production while ${names.join(' and ')} can be reached from other machines; for development, leave ${names.join(' and ')} unset`
  ctx.addIssue({ code: 'custom', path: ['NODE_ENV'], message })
}

export const getExposureEnv = ({ NODE_ENV: mode, HOST: host, PUBLIC_URL: url }: ExposureValues, port: number) => ({
  /** Address to listen on. Null: loopback only, 127.0.0.1 and ::1. */
  host: host === undefined || host.toLowerCase() === 'localhost' ? null : host.replace(/^\[(.*)\]$/, '$1'),
  /** URL that callers use, without a trailing slash. */
  publicUrl: url ?? `http://localhost:${port}`,
  /** True if Next compiles pages on request, as in `npm run dev`. */
  isDevelopment: mode === 'development',
  /**
   * Enables /dev/mail, simulated payments, the demonstration account and /metrics without a token. True only outside production, and only for a service that
   * listens on loopback and has a loopback URL: `checkExposure` rejects other combinations.
   */
  developmentFeatures: mode !== 'production',
})

/** Renamed variables: former and current name. The former name still works, with a deprecation warning. */
const renamed = [['DESK_FOUR_EYES_CREDITS', 'ADMIN_FOUR_EYES_CREDITS']] as const

/** Copies the values of renamed variables to their current names, unless the current ones are set. */
export function withRenamed(given: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  const result = { ...given }
  for (const [former, current] of renamed) {
    if (given[former] === undefined) continue
    process.emitWarning(`${former} is deprecated. Set ${current} instead.`, 'DeprecationWarning')
    result[current] ??= given[former]
  }
  return result
}

const count = (min: number, max: number, what: string) => wholeNumber(min, max, `must be a number of ${what} from ${min} to ${max}`)

/** Environment variables for the number of processes, the drain and the priority of the portal. */
export const processVariables = {
  GATEWAY_PROCESSES: count(1, 64, 'processes').default(1),
  DRAIN_SECONDS: count(0, 300, 'seconds').default(0),
  PORTAL_NICENESS: count(0, 19, 'steps').default(10),
} as const

type ProcessValues = { GATEWAY_PROCESSES: number; ROLES: ReadonlySet<string>; NODE_ENV?: string | undefined }

/** Rejects more than one gateway process without the gateway role, or in development, where hot reload needs a single process for all requests. */
export function checkProcesses({ GATEWAY_PROCESSES: gateways, ROLES: roles, NODE_ENV: mode }: ProcessValues, ctx: z.RefinementCtx): void {
  if (gateways === 1) return
  const fault = (message: string) => ctx.addIssue({ code: 'custom', path: ['GATEWAY_PROCESSES'], message })
  if (!roles.has('gateway')) fault('must be 1 unless ROLES includes gateway')
  if (mode === 'development') fault('must be 1 when NODE_ENV is development')
}
