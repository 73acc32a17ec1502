import { Tag } from '#components/ui/tag.tsx'

/** API key of the reader's account that can be used for a call. */
export type OwnKey = { readonly id: string; readonly mode: 'live' | 'test'; readonly name: string; readonly hint: string }

export const keyName = ({ name }: OwnKey) => (name === '' ? 'Unnamed key' : name)

/** Shows which data the next call reads, and whether it is charged. `isOfTab` is true if no account key is chosen and this tab has a test key. */
export function CallData({ chosen, isOfTab }: { chosen: OwnKey | null; isOfTab: boolean }) {
  if (chosen?.mode === 'live') {
    return (
      <p className="flex items-baseline gap-2 text-note">
        <Tag tone="good">Live</Tag>
        <span>
          Live data, using {keyName(chosen)} <code className="font-mono">{chosen.hint}</code>. Calls use your credits.
        </span>
      </p>
    )
  }
  return (
    <p className="flex items-baseline gap-2 text-note text-test">
      <Tag tone="test">Test</Tag>
      {chosen === null ? (
        isOfTab ? (
          'Sample data, using the test key stored in this tab. Free.'
        ) : (
          'Sample data with fictional banks. Free.'
        )
      ) : (
        <span>
          Sample data, using {keyName(chosen)} <code className="font-mono">{chosen.hint}</code>. Free.
        </span>
      )}
    </p>
  )
}
