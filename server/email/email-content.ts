/** An email before rendering: its subject and its parts, in order. */
export type EmailContent = { readonly subject: string; readonly parts: readonly EmailPart[] }

export type EmailPart =
  | { readonly kind: 'text'; readonly text: string }
  /** The call to action. Its URL is also written out for plain-text readers. */
  | { readonly kind: 'action'; readonly label: string; readonly url: string }
  /** Two-column table of names and values. */
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [name: string, value: string])[] }

export const text = (line: string): EmailPart => ({ kind: 'text', text: line })
export const action = (label: string, url: string): EmailPart => ({ kind: 'action', label, url })
export const facts = (...rows: (readonly [string, string])[]): EmailPart => ({ kind: 'facts', rows })
