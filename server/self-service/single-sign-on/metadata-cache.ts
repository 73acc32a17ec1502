import { LRUCache } from 'lru-cache'
import { clock } from '#server/clock.ts'
import type { ProviderNetwork } from './guarded-requests.ts'
import type { Organisation } from './organisations.ts'
import { discoverProvider, type ProviderMetadata } from './provider-metadata.ts'

const lifetimeMs = 60_000
const maxOrganisations = 500

type Read = { readonly metadata: Promise<ProviderMetadata>; readonly endsAt: number }

/** Checked discovery documents by organisation and issuer. Concurrent requests share one read. */
const reads = new LRUCache<string, Read>({ max: maxOrganisations })

/**
 * Returns the checked discovery document of an organisation's provider, cached for up to a minute, so that unauthenticated requests cause few requests to the
 * provider. Failures aren't cached. @throws ProviderRequestError
 */
export async function readMetadata(network: ProviderNetwork, { accountId, issuer }: Pick<Organisation, 'accountId' | 'issuer'>): Promise<ProviderMetadata> {
  const key = `${accountId} ${issuer}`
  const known = reads.get(key)
  if (known !== undefined && known.endsAt > clock.now()) return known.metadata
  const read = { metadata: discoverProvider(network, issuer), endsAt: clock.now() + lifetimeMs }
  reads.set(key, read)
  try {
    return await read.metadata
  } catch (error) {
    if (reads.get(key) === read) reads.delete(key)
    throw error
  }
}
