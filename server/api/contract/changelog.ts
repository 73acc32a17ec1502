/** Kinds of change with their labels in the changelog. There is no kind for removals: nothing is removed within a version. */
export const changeKinds = { added: 'Added', changed: 'Changed', deprecated: 'Deprecated' } as const satisfies Record<string, string>

export type ChangeKind = keyof typeof changeKinds

/** Changelog entry, published to API customers. */
export type ChangelogEntry = {
  readonly id: string
  readonly publishedAt: Date
  readonly kind: ChangeKind
  readonly title: string
  /** Markdown: paragraphs, lists and inline code. */
  readonly body: string
  /** Ids of the affected endpoints; empty if all are affected. */
  readonly endpointIds: readonly string[]
}
