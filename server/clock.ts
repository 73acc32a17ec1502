/** Clock of the service, in milliseconds since 1970 UTC. All code reads the time from here, so that tests can change it. */
export const clock = { now: (): number => Date.now() }
