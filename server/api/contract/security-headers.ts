/**
 * Returns the security headers of every response that is not a page, as a flat list of names and values. `X-Content-Type-Options` is set elsewhere, together
 * with the content type.
 */
export const securityHeaders = (publicUrl: string): readonly string[] => [
  'Referrer-Policy',
  'no-referrer',
  'Content-Security-Policy',
  "frame-ancestors 'none'",
  // One year. Omits includeSubDomains, because subdomains may belong to others.
  ...(publicUrl.startsWith('https:') ? ['Strict-Transport-Security', 'max-age=31536000'] : []),
]
