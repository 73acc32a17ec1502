import localFont from 'next/font/local'

// Latin variable fonts, self-hosted under their licence (fonts/OFL.txt), so that nothing is loaded from other hosts at build time or run time. Until they have
// loaded, pages show the fonts of fallback-fonts.css, which take the same space.
const hyperlegible = localFont({
  src: './fonts/atkinson-hyperlegible-next-latin-wght-normal.woff2',
  variable: '--font-ahn',
  weight: '200 800',
  display: 'swap',
  adjustFontFallback: false,
})
const hyperlegibleMono = localFont({
  src: './fonts/atkinson-hyperlegible-mono-latin-wght-normal.woff2',
  variable: '--font-ahm',
  weight: '200 800',
  display: 'swap',
  // Code samples appear further down the page, so only the text font is preloaded.
  preload: false,
  adjustFontFallback: false,
})

/** Classes that define the font variables used by the theme. */
export const fontClasses = `${hyperlegible.variable} ${hyperlegibleMono.variable}`
