/** Kinds of change, in the words that the changelog shows. A removal is none of them: within a version nothing is taken away. */
export const changeKinds = { added: 'Added', changed: 'Changed', deprecated: 'Deprecated' } as const satisfies Record<string, string>

export type ChangeKind = keyof typeof changeKinds

/** A change that callers are told of. */
export type ChangelogEntry = {
  readonly id: string
  readonly publishedAt: Date
  readonly kind: ChangeKind
  readonly title: string
  /** Markdown: paragraphs, lists, code between backticks. */
  readonly body: string
  /** Endpoints that it is about, by id; none when it is about all of them. */
  readonly endpointIds: readonly string[]
}
