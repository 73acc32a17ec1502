import { postmanText } from '#server/api/documents/postman.ts'
import { postmanEnvironment } from '#server/api/documents/postman-environment.ts'
import type { DocumentName } from '#server/api/documents/published-values.ts'
import { documentData, openApiText } from '#server/api/published-documents.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'
import { readEnv } from '#server/env.ts'
import { loadSnapshot } from '#server/market/snapshot.ts'
import { loadServiceState } from '#server/metering/service-state.ts'

/** Returns a document exactly as a service with the current environment and database would serve it. */
export async function documentText(pool: Database, name: DocumentName): Promise<string> {
  if (name === 'postman-environment') return postmanEnvironment(readEnv().publicUrl)
  const { overrides, licence } = await loadServiceState(pool)
  const market = await loadSnapshot(pool, () => clock.now())
  const openApi = await openApiText(documentData(readEnv(), { market, overrides, licence }))
  return name === 'openapi' ? openApi : postmanText(openApi)
}
