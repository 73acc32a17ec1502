/** The one clock of the service, in milliseconds since 1970 UTC. Tests move it; nothing else reads the time of day. */
export const clock = { now: (): number => Date.now() }

/** The moment as ISO 8601 UTC with milliseconds. */
export function isoNow(): string {
  return new Date(clock.now()).toISOString()
}
