import localFont from 'next/font/local'

// Latin variable fonts, self-hosted under their licence (fonts/OFL.txt), so that nothing is loaded from other hosts at build time or run time.
const hyperlegible = localFont({
  src: './fonts/atkinson-hyperlegible-next-latin-wght-normal.woff2',
  variable: '--font-ahn',
  weight: '200 800',
  display: 'swap',
})
const hyperlegibleMono = localFont({
  src: './fonts/atkinson-hyperlegible-mono-latin-wght-normal.woff2',
  variable: '--font-ahm',
  weight: '200 800',
  // Code samples appear further down the page, so their font isn't preloaded; only the text font blocks the first paint. Swapping the code font in later would
  // reflow the page, so the first page view keeps the fallback font, and later page views use the cached font.
  display: 'optional',
  preload: false,
  adjustFontFallback: false,
  fallback: ['ui-monospace', 'monospace'],
})

/** Classes that define the font variables used by the theme. */
export const fontClasses = `${hyperlegible.variable} ${hyperlegibleMono.variable}`
