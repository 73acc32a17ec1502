/**
 * Shapes of the product's mark in a square of 28 units: a percent sign whose slash is a step, as in a chart of a rate. `app/icon.svg` repeats them, and
 * `app/apple-icon.png` and `app/opengraph-image.png` are drawn from them.
 */
export const markShapes = {
  corner: 7,
  step: 'M6.5 21.5H14V6.5H21.5',
  strokeWidth: 3,
  dots: [
    { cx: 7.75, cy: 9, r: 2.75 },
    { cx: 20.25, cy: 19, r: 2.75 },
  ],
} as const
