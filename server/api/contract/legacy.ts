/**
 * Dates on which the partner API, the predecessor of v1, was deprecated and will be removed. Every partner API response contains them. The deprecation began
 * with the launch of v1; the removal follows more than six months later, and the versioning policy requires at least six months. The dates are part of the
 * release rather than settings, because partners must be notified of any change.
 */
export const legacyDeprecatedAt = Date.UTC(2026, 10, 21)
export const legacyEndsAt = Date.UTC(2027, 5, 30, 23, 59, 59)

/** Value of the Deprecation header (RFC 9745). */
export const legacyDeprecation = `@${legacyDeprecatedAt / 1_000}`
/** Value of the Sunset header (RFC 8594). */
export const legacySunset = new Date(legacyEndsAt).toUTCString()
