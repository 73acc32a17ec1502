import { createCssVariablesTheme, createHighlighterCoreSync, type HighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import bash from 'shiki/langs/bash.mjs'
import go from 'shiki/langs/go.mjs'
import http from 'shiki/langs/http.mjs'
import json from 'shiki/langs/json.mjs'
import php from 'shiki/langs/php.mjs'
import python from 'shiki/langs/python.mjs'
import typescript from 'shiki/langs/typescript.mjs'
import type { CodeLine, CodePiece } from './code-lines.tsx'

/** Maps language names in our docs to the highlighter's names. Other languages are shown as plain text. */
const languages: Readonly<Record<string, string>> = {
  sh: 'bash',
  ts: 'typescript',
  js: 'typescript',
  python: 'python',
  go: 'go',
  php: 'php',
  // Ruby's own grammar loads twelve others. In our samples, strings and comments look the same in Ruby and Python.
  ruby: 'python',
  json: 'json',
  http: 'http',
}

const theme = createCssVariablesTheme()
const literal = /^(?:[\d._]+|true|false|null|nil|None|True|False)$/
const maxCached = 1_000

let highlighterOnce: HighlighterCore | null = null
const cache = new Map<string, readonly CodeLine[]>()

function highlighter(): HighlighterCore {
  highlighterOnce ??= createHighlighterCoreSync({
    themes: [theme],
    langs: [bash, go, http, json, php, python, typescript],
    engine: createJavaScriptRegexEngine(),
  })
  return highlighterOnce
}

/** Highlights strings and numbers, keywords, comments, and property names in JSON. Other tokens are plain. */
function toKind(color: string | undefined, text: string, isJson: boolean): CodePiece['kind'] {
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
  return lines.map((line) => line.map(({ content, color }) => ({ text: content, kind: toKind(color, content, lang === 'json') })))
}

/** Splits code into lines of highlighted tokens. Results are cached. */
export function highlight(code: string, language: string): readonly CodeLine[] {
  const key = `${language} ${code}`
  const cached = cache.get(key)
  if (cached) return cached
  const lines = pieces(code, language)
  if (cache.size >= maxCached) cache.clear()
  cache.set(key, lines)
  return lines
}
