import localFont from 'next/font/local'

// Latin variable fonts, kept here under their licence (fonts/OFL.txt), so that nothing is loaded from elsewhere when pages are built or read.
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
  // Code stands further down; the first paint waits for the text alone. Swapped in later, this font would break lines elsewhere and move what stands below:
  // a reader's first page keeps the fallback, the next ones have it from the cache.
  display: 'optional',
  preload: false,
  adjustFontFallback: false,
  fallback: ['ui-monospace', 'monospace'],
})

/** Classes that put the fonts where the theme looks for them. */
export const fontClasses = `${hyperlegible.variable} ${hyperlegibleMono.variable}`
