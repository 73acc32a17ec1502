/**
 * The partner API that came before v1. It carries its end in every answer: deprecated since v1 is there, and switched off more than six months later,
 * which is the least that the rule of versions allows. Moving the end is a change that partners have to hear of, so it is a release and not a setting.
 */
export const legacyDeprecatedAt = Date.UTC(2026, 10, 21)
export const legacyEndsAt = Date.UTC(2027, 5, 30, 23, 59, 59)

/** As the headers have it: a structured date (RFC 9745) and an HTTP date (RFC 8594). */
export const legacyDeprecation = `@${legacyDeprecatedAt / 1_000}`
export const legacySunset = new Date(legacyEndsAt).toUTCString()
