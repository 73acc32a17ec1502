import { Fragment } from 'react'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { Code } from './code.tsx'
import type { CodeSample } from './code-figure.tsx'

/**
 * The same thing in several languages, one shown at a time. The choice is a row of radio buttons and the rest is CSS, so it works with the arrow keys
 * and without a script. `name` tells the rows of one page apart.
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
