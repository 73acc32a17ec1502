import { z } from 'zod'

/** Schema of an environment variable that is a whole number from `min` to `max`. */
export const wholeNumber = (min: number, max: number, message: string) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, message)
    .transform(Number)
