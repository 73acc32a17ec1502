/** Security headers of everything that is not a page, as a flat list of names and values. `X-Content-Type-Options` is set where a type is. */
export const securityHeaders = (publicUrl: string): readonly string[] => [
  'Referrer-Policy',
  'no-referrer',
  'Content-Security-Policy',
  "frame-ancestors 'none'",
  // A year. Not for names below, which may belong to others.
  ...(publicUrl.startsWith('https:') ? ['Strict-Transport-Security', 'max-age=31536000'] : []),
]
