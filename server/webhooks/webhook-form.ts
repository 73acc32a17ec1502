import { z } from 'zod'
import { NewWebhook, parsePercentagePoints } from '#server/api/contract/webhooks.ts'

const { url, description, types, providers, accountTypes } = NewWebhook.shape

/** Converts percentage points to basis points; null if the text is empty. */
function toBasisPoints(text: string, context: z.RefinementCtx): number | null {
  if (text.trim() === '') return null
  const bp = parsePercentagePoints(text.trim())
  if (bp !== null) return bp
  context.addIssue('Enter percentage points, e.g. 0.25.')
  return z.NEVER
}

/** Fields of an endpoint as submitted by a form: every input is text. */
export const typedWebhook = {
  url,
  description,
  types,
  /** Slugs, separated by lines, spaces or commas. */
  providers: z
    .string()
    .max(20_000)
    .transform((text) => text.split(/[\s,]+/).filter((slug) => slug !== ''))
    .pipe(providers),
  accountTypes,
  /** Percentage points, such as 0.25; empty for any change. */
  minChange: z.string().max(20).transform(toBasisPoints),
}

type Parsed = Omit<NewWebhook, 'minChangeBp'> & { readonly minChange: number | null }

/** Returns the endpoint settings submitted with a form. */
export const toNewWebhook = ({ url, description, types, providers, accountTypes, minChange }: Parsed): NewWebhook => ({
  url,
  description,
  types,
  providers,
  accountTypes,
  minChangeBp: minChange,
})
