import { Fragment } from 'react'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { Code } from './code.tsx'
import type { CodeSample } from './code-figure.tsx'

/**
 * Code sample in several languages, one shown at a time. Radio buttons and CSS only, so it works with the arrow keys and without JavaScript. `name` must be
 * unique on the page.
 */
export function CodeTabs({ name, samples }: { name: string; samples: readonly CodeSample[] }) {
  return (
    <fieldset className="code-tabs rounded-panel border border-line bg-sunken">
      <legend className="sr-only">Language</legend>
      {samples.map(({ label, language, code }, index) => (
        <Fragment key={label}>
          <input type="radio" name={name} id={`${name}-${index}`} defaultChecked={index === 0} className="sr-only" />
          <label htmlFor={`${name}-${index}`}>{label}</label>
          <div>
            <div className="code-tabs-copy">
              <CopyButton text={code} what={`${label} code`} />
            </div>
            <Code code={code} language={language} />
          </div>
        </Fragment>
      ))}
    </fieldset>
  )
}
