import {
  type CallExpression,
  createSourceFile,
  forEachChild,
  isArrayLiteralExpression,
  isCallExpression,
  isIdentifier,
  isStringLiteral,
  type Node,
  ScriptTarget,
} from 'typescript'

const idArguments = ({ expression, arguments: [first, ...others] }: CallExpression): readonly Node[] => {
  if (!(isIdentifier(expression) && first)) return []
  if (expression.text === 'cites') return [first, ...others]
  if (expression.text !== 'verifies') return []
  return isArrayLiteralExpression(first) ? first.elements : [first]
}

/**
 * Returns the ids that a source cites, in order: the first argument of each call to `verifies` (one id or a list) and all arguments of each call to `cites`.
 * Only plain string literals count. The source is parsed, so calls in comments and strings are ignored.
 */
export const citedIds = (source: string): string[] => {
  const found: string[] = []
  const visit = (node: Node): void => {
    if (isCallExpression(node))
      found.push(
        ...idArguments(node)
          .filter(isStringLiteral)
          .map(({ text }) => text),
      )
    forEachChild(node, visit)
  }
  visit(createSourceFile('source.ts', source, ScriptTarget.Latest))
  return found
}
