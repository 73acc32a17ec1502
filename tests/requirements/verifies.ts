import { type TestContext, test } from 'vitest'
import { type RequirementId, requirements } from './index.ts'

type Ids = RequirementId | readonly RequirementId[]
type Body = (context: TestContext) => unknown

const testName = (ids: Ids, title?: string) => {
  const list = typeof ids === 'string' ? [ids] : ids
  return `[${list.join(', ')}] ${title ?? list.map((id) => requirements[id].behaviour).join(' ')}`
}

type Titled = [title: string, body: Body, timeoutMs?: number]
type Untitled = [body: Body, timeoutMs?: number]

const isTitled = (rest: Titled | Untitled): rest is Titled => typeof rest[0] === 'string'

/**
 * Defines a test of one or more requirements: `verifies(ids, title?, body, timeoutMs?)`. Write the ids as plain literals in the call, because the manifest
 * test finds them in the source. In a loop, give each iteration a unique title.
 */
export const verifies = (ids: Ids, ...rest: Titled | Untitled): void => {
  const [title, body, timeoutMs] = isTitled(rest) ? rest : [undefined, ...rest]
  test(testName(ids, title), body, timeoutMs)
}

/** Marks requirements as verified by the surrounding generated tests. Has no effect at run time. */
export const cites = (..._ids: readonly RequirementId[]): void => {}
