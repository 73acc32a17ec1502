/** The one clock of the service, in milliseconds since 1970 UTC. Tests move it; nothing else reads the time of day. */
export const clock = { now: (): number => Date.now() }
