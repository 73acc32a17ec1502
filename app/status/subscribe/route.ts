import { requestStatusEmails } from '#server/pages/status-emails.ts'

/** Requests status emails for an address. A plain form, so that it works without JavaScript. */
export const POST = requestStatusEmails
