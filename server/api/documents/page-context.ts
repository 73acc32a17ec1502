import type { Context } from '#server/api/endpoints/define.ts'

/** What a handler is handed for a page of this site: no caller, no account, and addresses as paths on the site itself. */
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
