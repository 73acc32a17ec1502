import { z } from 'zod'
import { isLoopbackHost, isLoopbackUrl } from './loopback.ts'

const webUrl = z.string().regex(/^https?:\/\/[^\s/]+$/, 'must be an absolute address such as https://api.example.com, without a path or slash at the end')

/** Environment variables that decide who can reach the service. */
export const exposureVariables = {
  NODE_ENV: z.string().optional(),
  HOST: z.string().optional(),
  PUBLIC_URL: webUrl.optional(),
} as const

const Exposure = z.object(exposureVariables)

type ExposureValues = z.infer<typeof Exposure>

/** Refuses settings under which other machines could use development features: reading everyone's email, paying with no money, the demonstration account. */
export function checkExposure({ NODE_ENV: mode, HOST: host, PUBLIC_URL: url }: ExposureValues, ctx: z.RefinementCtx): void {
  if (mode === 'production') return
  const names: string[] = []
  if (host !== undefined && !isLoopbackHost(host)) names.push('HOST')
  // A text that is not a URL at all has an error of its own.
  if (webUrl.safeParse(url).success && !isLoopbackUrl(String(url))) names.push('PUBLIC_URL')
  if (names.length === 0) return
  const message = `must be production while ${names.join(' and ')} can be reached from other machines; for development, leave ${names.join(' and ')} unset`
  ctx.addIssue({ code: 'custom', path: ['NODE_ENV'], message })
}

export type ExposureEnv = {
  /** Address to listen on. Null: loopback only, 127.0.0.1 and ::1. */
  readonly host: string | null
  /** URL that callers use, without a slash at the end. */
  readonly publicUrl: string
  /** True if Next compiles pages on request, as `npm run dev` wants. */
  readonly isDevelopment: boolean
  /**
   * True if /dev/mail, simulated payments, the demonstration account and /metrics without a token exist. Only outside production, and only for a service that
   * listens on loopback and has a loopback URL: `checkExposure` refuses anything between.
   */
  readonly developmentFeatures: boolean
}

export function exposureEnvOf({ NODE_ENV: mode, HOST: host, PUBLIC_URL: url }: ExposureValues, port: number): ExposureEnv {
  return {
    host: host === undefined || host.toLowerCase() === 'localhost' ? null : host.replace(/^\[(.*)\]$/, '$1'),
    publicUrl: url ?? `http://localhost:${port}`,
    isDevelopment: mode === 'development',
    developmentFeatures: mode !== 'production',
  }
}
