/*
 * From where on a rate is looked at by a person. Every number is in hundredths of a percent, and stands beside what it finds.
 */

/** So much above Bank Rate pays nobody who means it. Regular savers lure with more, on small sums. */
export const aboveBankRateBp = { regularSaver: 700, other: 300 } as const

/** So large a move within these days is a misplaced digit more often than news. */
export const suddenMove = { leastBp: 150, days: 7 } as const

/** Lines of each kind that are shown one by one; beyond it they are counted. */
export const mostShown = 50
