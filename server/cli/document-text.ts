import type { Pool } from 'pg'
import { clock } from '../clock.ts'
import { readEnv } from '../env.ts'
import { loadSnapshot } from '../market/snapshot.ts'
import { loadServiceState } from '../metering/service-state.ts'
import { postmanText } from '../publish/postman.ts'
import type { DocumentName } from '../publish/published-facts.ts'
import { documentFacts, openApiText } from '../published-documents.ts'

/** A document as a service with this environment and this database serves it: the same bytes. */
export async function documentText(pool: Pool, name: DocumentName): Promise<string> {
  const { overrides, licence } = await loadServiceState(pool)
  const market = await loadSnapshot(pool, () => clock.now())
  const openApi = await openApiText(documentFacts(readEnv(), { market, overrides, licence }))
  return name === 'openapi' ? openApi : postmanText(openApi)
}
