import { Words } from '#components/ui/phrase.tsx'

export type Rule = { readonly title: string; readonly text: string }

/** List of short rules, each with a title. */
export function Rules({ rules }: { rules: readonly Rule[] }) {
  return (
    <dl className="mt-6 border-t border-line-strong">
      {rules.map(({ title, text }) => (
        <div key={title} className="border-b border-line py-3 sm:grid sm:grid-cols-[12rem_1fr] sm:gap-4">
          <dt className="font-medium">{title}</dt>
          <dd className="mt-0.5 max-w-[68ch] text-pretty text-ink-2 sm:mt-0">
            <Words text={text} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
