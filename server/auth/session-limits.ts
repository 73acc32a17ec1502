const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Idle timeout and maximum lifetime of a session. Administrators can reach every account, so theirs are short. */
export const sessionLimits = {
  member: { idleSeconds: 14 * day, lifetimeSeconds: 30 * day },
  admin: { idleSeconds: hour, lifetimeSeconds: 12 * hour },
} as const

/** Minimum time between two writes of a session's last use. */
export const lastUseIntervalSeconds = 5 * minute

/** Time for which a sign-in or re-authentication counts as recent. */
export const recentSeconds = 10 * minute
