import type { Context } from '#server/api/endpoints/define.ts'

/** Returns the handler context for pages of this site: no caller or account, and URLs as site-relative paths. */
export function pageContext(market: Context['market'], mode: Context['mode']): Context {
  return {
    market,
    mode,
    withLogos: true,
    publicUrl: '',
    requestId: '',
    account: () => Promise.reject(new Error('A page has no account.')),
  }
}
