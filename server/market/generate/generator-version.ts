/** Increment when the same options generate different files. Stored with seeded databases to detect outdated data. */
export const generatorVersion = 3
