/** Names of the cookie that tells the page's scripts that the browser has a session. Scripts can't read the session cookie. */
const names = ['__Host-svc.signed-in', 'svc.signed-in'] as const

const mark = /(?:^|;\s*)(?:__Host-)?svc\.signed-in=1(?:;|$)/

/** Returns true if the cookies contain the mark. */
export const hasSignedInMark = (cookies = ''): boolean => mark.test(cookies)

/** Returns the `Set-Cookie` line that sets or removes the mark. Over HTTPS, the `__Host-` prefix stops sibling subdomains from setting it. */
export function signedInCookie(isSignedIn: boolean, isSecure: boolean): string {
  const value = isSignedIn ? '1; Path=/' : '; Path=/; Max-Age=0'
  return isSecure ? `${names[0]}=${value}; SameSite=Lax; Secure` : `${names[1]}=${value}; SameSite=Lax`
}
