import { Fragment } from 'react'
import { CopyButton } from '#components/ui/copy-button.tsx'
import type { Snippet } from './snippets.ts'

const slot = '$SVC_API_KEY'

/** A placeholder stands in an element of its own, so that a test key of this tab can take its place. */
function Code({ code }: { code: string }) {
  return code.split(slot).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
    <Fragment key={index}>
      {index === 0 ? null : <span data-key-slot="">{slot}</span>}
      {part}
    </Fragment>
  ))
}

/** The same call in several languages. The choice is a row of radio buttons and the rest is CSS, so it works without a script. */
export function SnippetTabs({ name, snippets }: { name: string; snippets: readonly Snippet[] }) {
  return (
    <fieldset className="code-tabs rounded-panel border border-line bg-sunken">
      <legend className="sr-only">Language</legend>
      {snippets.map(({ label, code }, index) => (
        <Fragment key={label}>
          <input type="radio" name={name} id={`${name}-${index}`} defaultChecked={index === 0} className="sr-only" />
          <label htmlFor={`${name}-${index}`}>{label}</label>
          <div>
            <div className="code-tabs-copy">
              <CopyButton text={code} what={`${label} code`} />
            </div>
            <pre className="p-3 font-mono text-table wrap-anywhere whitespace-pre-wrap">
              <code>
                <Code code={code} />
              </code>
            </pre>
          </div>
        </Fragment>
      ))}
    </fieldset>
  )
}
