import { Fragment } from 'react'
import { CopyButton } from '#components/ui/copy-button.tsx'
import type { Snippet } from './snippets.ts'

const placeholder = '$SVC_API_KEY'

/** Wraps each placeholder in an element, so that a test key stored for this tab can replace it. */
function Code({ code }: { code: string }) {
  return code.split(placeholder).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their order
    <Fragment key={index}>
      {index === 0 ? null : <span data-key-slot="">{placeholder}</span>}
      {part}
    </Fragment>
  ))
}

/** Example call in several languages. Radio buttons and CSS only, so it works without JavaScript. */
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
