/** Colour themes; `system` follows the device. */
export const themes = ['system', 'light', 'dark'] as const

export type Theme = (typeof themes)[number]

/** Names of the theme cookie. Over HTTPS, the `__Host-` prefix stops sibling subdomains from setting it. */
export const themeCookieNames = ['__Host-theme', 'theme'] as const

const yearSeconds = 31_536_000

/** Returns the `Set-Cookie` lines that store a choice. Over HTTPS they also remove the cookie without the prefix, which earlier releases set. */
export function themeCookies(theme: Theme, isSecure: boolean): string[] {
  const [secureName, plainName] = themeCookieNames
  const attributes = `Path=/; SameSite=Lax; Max-Age=${theme === 'system' ? 0 : yearSeconds}`
  return isSecure
    ? [`${secureName}=${theme}; ${attributes}; Secure`, `${plainName}=; Path=/; Max-Age=0; SameSite=Lax; Secure`]
    : [`${plainName}=${theme}; ${attributes}`]
}

/** Parses a theme from a cookie or a form; anything unknown is `system`. */
export function getTheme(text: unknown): Theme {
  return themes.find((theme) => theme === text) ?? 'system'
}
