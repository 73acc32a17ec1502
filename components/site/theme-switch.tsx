'use client'

import { type FormEvent, useEffect, useState } from 'react'
import { getTheme, type Theme, themeCookies, themes } from './theme-choice.ts'

/** Names of the themes. */
export const themeNames = { system: 'System', light: 'Light', dark: 'Dark' } as const satisfies Record<Theme, string>

/** Applies a theme to this page and stores it for the next ones. */
export function applyTheme(theme: Theme): void {
  for (const cookie of themeCookies(theme, location.protocol === 'https:')) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not supported in all major browsers
    document.cookie = cookie
  }
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** Theme picker. A plain form, so it works without JavaScript. */
export function ThemeSwitch() {
  const [chosen, setChosen] = useState<Theme | null>(null)
  useEffect(() => setChosen(getTheme(document.documentElement.dataset['theme'])), [])
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent
    if (!(submitter instanceof HTMLButtonElement)) return
    event.preventDefault()
    const theme = getTheme(submitter.value)
    applyTheme(theme)
    setChosen(theme)
  }
  return (
    <form action="/theme" method="post" onSubmit={onSubmit} className="flex items-center gap-3">
      <span id="colours">Colours</span>
      <fieldset aria-labelledby="colours" className="flex rounded-control border border-line-strong">
        {themes.map((theme) => (
          <button
            key={theme}
            type="submit"
            name="theme"
            value={theme}
            aria-pressed={chosen === theme}
            className="min-h-8 cursor-pointer rounded-control px-2.5 hover:bg-hover aria-pressed:bg-accent-wash aria-pressed:font-medium aria-pressed:text-ink max-sm:min-h-11"
          >
            {themeNames[theme]}
          </button>
        ))}
      </fieldset>
    </form>
  )
}
