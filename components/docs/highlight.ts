import { createCssVariablesTheme, createHighlighterCoreSync, type HighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import bash from 'shiki/langs/bash.mjs'
import go from 'shiki/langs/go.mjs'
import http from 'shiki/langs/http.mjs'
import json from 'shiki/langs/json.mjs'
import php from 'shiki/langs/php.mjs'
import python from 'shiki/langs/python.mjs'
import typescript from 'shiki/langs/typescript.mjs'

/** A piece of code with what it is, as far as that is shown. */
export type CodePiece = { readonly text: string; readonly kind: 'plain' | 'word' | 'value' | 'name' | 'comment' }

/** How the names of languages in the texts are known to the highlighter. Any other is shown as plain text. */
const languages: Readonly<Record<string, string>> = {
  sh: 'bash',
  ts: 'typescript',
  js: 'typescript',
  python: 'python',
  go: 'go',
  php: 'php',
  json: 'json',
  http: 'http',
}

const theme = createCssVariablesTheme()
const literal = /^(?:[\d._]+|true|false|null|nil|None|True|False)$/
const mostKept = 1_000

let made: HighlighterCore | null = null
const kept = new Map<string, readonly (readonly CodePiece[])[]>()

function highlighter(): HighlighterCore {
  made ??= createHighlighterCoreSync({ themes: [theme], langs: [bash, go, http, json, php, python, typescript], engine: createJavaScriptRegexEngine() })
  return made
}

/** Only what helps to read is told apart: strings and numbers, words of the language, comments, and the names in JSON. */
function kindOf(color: string | undefined, text: string, isJson: boolean): CodePiece['kind'] {
  const token = color?.replace(/^var\(--shiki-token-|\)$/g, '')
  if (token === 'comment') return 'comment'
  if (token === 'string' || token === 'string-expression') return 'value'
  if (token === 'constant') return literal.test(text.trim()) ? 'value' : 'plain'
  if (token !== 'keyword') return 'plain'
  return isJson ? 'name' : 'word'
}

function pieces(code: string, language: string): CodePiece[][] {
  const lang = languages[language]
  if (lang === undefined) return code.split('\n').map((text) => [{ text, kind: 'plain' }])
  const lines = highlighter().codeToTokensBase(code, { lang, theme: 'css-variables', tokenizeTimeLimit: 0 })
  return lines.map((line) => line.map(({ content, color }) => ({ text: content, kind: kindOf(color, content, lang === 'json') })))
}

/** The lines of a text, each cut into pieces. The same text is worked out once. */
export function highlight(code: string, language: string): readonly (readonly CodePiece[])[] {
  const key = `${language} ${code}`
  const known = kept.get(key)
  if (known) return known
  const lines = pieces(code, language)
  if (kept.size >= mostKept) kept.clear()
  kept.set(key, lines)
  return lines
}
