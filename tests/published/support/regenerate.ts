import { documentData, openApiText } from '#server/api/published-documents.ts'
import { loadSnapshot } from '#server/market/snapshot.ts'
import { loadServiceState } from '#server/metering/service-state.ts'
import { publicUrl } from '../../support/service-process.ts'
import type { Fixture } from '../../v1/support/fixture.ts'

/** Generates the OpenAPI document from the current code and the database of a test server. */
export async function regenerate(fixture: Fixture): Promise<string> {
  const { overrides, licence } = await loadServiceState(fixture.pool)
  const market = await loadSnapshot(fixture.pool, Date.now)
  return openApiText(documentData({ publicUrl, deprecation: null, sunset: null }, { market, overrides, licence }))
}
