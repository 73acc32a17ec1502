/** A letter before it is set: a subject and what stands in it, in order. */
export type Letter = { readonly subject: string; readonly parts: readonly LetterPart[] }

export type LetterPart =
  | { readonly kind: 'text'; readonly text: string }
  /** The one thing to do. The address is written out as well, for readers of plain text. */
  | { readonly kind: 'action'; readonly label: string; readonly url: string }
  /** Facts in two columns. */
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [name: string, value: string])[] }

export const text = (line: string): LetterPart => ({ kind: 'text', text: line })
export const action = (label: string, url: string): LetterPart => ({ kind: 'action', label, url })
export const facts = (...rows: (readonly [string, string])[]): LetterPart => ({ kind: 'facts', rows })
