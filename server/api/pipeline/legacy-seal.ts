import type { BuiltPage } from './built-page.ts'
import type { Answer } from './call.ts'
import { type SealedCall, Sealer } from './seal.ts'

const beforeRows = '"data":'.length

/** Writes answers of the partner API: the rows as a bare array, everything else as v1 has it. */
export class LegacySealer extends Sealer {
  override page(call: SealedCall, page: BuiltPage): Answer {
    const answer = super.page(call, page, null, page.rows?.length ?? 0, false, false)
    return { ...answer, body: page.data.slice(beforeRows), bytes: page.dataBytes - beforeRows }
  }
}
