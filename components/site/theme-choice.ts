/** Colours that a reader can choose; `system` follows the device. */
export const themes = ['system', 'light', 'dark'] as const

export type Theme = (typeof themes)[number]

/** Name of the cookie that keeps the choice. It says nothing about the reader but this. */
export const themeCookie = 'theme'

/** A year, in seconds. */
export const themeKeptSeconds = 31_536_000

/** The choice in a cookie or a form; anything else is no choice. */
export function themeOf(text: unknown): Theme {
  return themes.find((theme) => theme === text) ?? 'system'
}
