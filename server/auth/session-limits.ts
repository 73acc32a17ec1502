const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** How long a session may stay unused, and how long it may last in all. Administrators reach every account, so theirs are short. */
export const sessionLimits = {
  member: { idleSeconds: 14 * day, lifetimeSeconds: 30 * day },
  admin: { idleSeconds: hour, lifetimeSeconds: 12 * hour },
} as const

/** Minimum time between two writes of a session's last use. */
export const lastUseIntervalSeconds = 5 * minute

/** How long a sign-in or a re-authentication counts as recent. */
export const recentSeconds = 10 * minute
