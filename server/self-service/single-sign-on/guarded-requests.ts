import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { CustomHttpOptionsProvider } from 'openid-client'
import { http } from '#server/runtime/node-http.ts'
import { bareHost, getReach, nonPublicHost, resolveAddress, urlFault } from '#server/webhooks/reach.ts'
import type { Reach, WebhookSettings } from '#server/webhooks/webhook-deps.ts'

/** Rules for providers' addresses: the same as for webhook receivers. */
export type ProviderNetwork = {
  readonly reach: Reach
  readonly settings: Pick<WebhookSettings, 'developmentFeatures' | 'allowsPrivate'>
  /** Total time limit for all requests of a step. */
  readonly timeoutMs: number
}

const defaultTimeoutMs = 10_000
const maxResponseBytes = 256 * 1_024

/** Thrown if a request to a provider was refused or cut off. The message can be shown to the owner of the account. */
export class ProviderRequestError extends Error {
  override name = 'ProviderRequestError'
}

export const getProviderNetwork = (settings: ProviderNetwork['settings']): ProviderNetwork => ({
  reach: getReach(settings),
  settings,
  timeoutMs: defaultTimeoutMs,
})

/** Returns why a URL of a provider can't be requested; null if it can. The addresses of a host name are checked when it is resolved. */
export function providerUrlFault(url: URL, { reach, settings }: Pick<ProviderNetwork, 'reach' | 'settings'>): string | null {
  const host = bareHost(url)
  const why = isIP(host) === 0 ? null : reach.refuses(host)
  return urlFault(url.href, settings) ?? (why === null ? null : nonPublicHost(host, why))
}

/** Returns a lookup that resolves a name once and checks all of its addresses, so that the connection goes to a checked one. */
const guardedLookup =
  (reach: Reach): LookupFunction =>
  (host, { all }, done) => {
    resolveAddress(host, 1, reach).then(
      (address) => (all === true ? done(null, [{ address, family: isIP(address) }]) : done(null, address, isIP(address))),
      (error: NodeJS.ErrnoException) => done(error, ''),
    )
  }

/** Makes an agent report connections that receive more bytes than a provider's documents can have. */
function limitResponses<One extends InstanceType<typeof http.Agent>>(agent: One, report: (fault: ProviderRequestError) => void): One {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, done) => {
    const socket = connect(options, done)
    let received = 0
    socket?.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received > maxResponseBytes)
        report(new ProviderRequestError(`The identity provider's response is larger than ${maxResponseBytes / 1_024} KiB. Check the issuer URL.`))
    })
    return socket
  }
  return agent
}

/**
 * Runs requests to a provider that a customer has chosen. `work` passes the options to openid-client, which follows no redirects. Refuses private addresses, and
 * ends all connections when the time or size limit is reached. @throws ProviderRequestError; the errors of `work`
 */
export async function withGuardedRequests<Result>(network: ProviderNetwork, work: (options: CustomHttpOptionsProvider) => Promise<Result>): Promise<Result> {
  const { reach, timeoutMs } = network
  let stop: (fault: ProviderRequestError) => void = () => undefined
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = reject
  })
  const agents = [limitResponses(new http.Agent(), stop), limitResponses(new https.Agent(), stop)] as const
  const timer = setTimeout(
    () => stop(new ProviderRequestError(`The identity provider didn't respond within ${timeoutMs / 1_000} seconds. Check the issuer URL, then try again.`)),
    timeoutMs,
  )
  const options: CustomHttpOptionsProvider = (url) => {
    const fault = providerUrlFault(url, network)
    if (fault !== null) throw new ProviderRequestError(fault)
    // The timer limits the time. openid-client's own limit, which would otherwise be shorter, only ends connections without traffic.
    return { agent: url.protocol === 'https:' ? agents[1] : agents[0], lookup: guardedLookup(reach), timeout: 2 * timeoutMs }
  }
  try {
    return await Promise.race([work(options), stopped])
  } finally {
    clearTimeout(timer)
    for (const agent of agents) agent.destroy()
  }
}
