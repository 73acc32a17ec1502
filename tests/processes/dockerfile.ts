import { readFileSync } from 'node:fs'

export type Instruction = { readonly name: string; readonly text: string }

/** Stage of a Dockerfile: its name, or its number if it has none, and its instructions. */
export type Stage = { readonly name: string; readonly instructions: readonly Instruction[] }

/** Reads the stages of a Dockerfile. Comments and line continuations are removed. */
export function readDockerfile(file: string): Stage[] {
  const lines = readFileSync(file, 'utf8')
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
  const stages: { name: string; instructions: Instruction[] }[] = []
  for (const line of lines.filter((one) => one.trim() !== '')) {
    const [name = '', ...words] = line.split(' ')
    if (name === 'FROM') stages.push({ name: words[1] === 'AS' ? (words[2] ?? '') : String(stages.length), instructions: [] })
    else stages.at(-1)?.instructions.push({ name, text: words.join(' ') })
  }
  return stages
}

/** Returns the arguments of all instructions of a kind, in order. */
export const getArguments = (stage: Stage, name: string): string[] => stage.instructions.filter((one) => one.name === name).map(({ text }) => text)

/** Returns the arguments of the last instruction of a kind, which is the effective one for CMD, USER and HEALTHCHECK. */
export function lastArguments(stage: Stage, name: string): string {
  const text = getArguments(stage, name).at(-1)
  if (text === undefined) throw new Error(`The stage ${stage.name} has no ${name}.`)
  return text
}

/** Returns the command of `CMD ["…"]`, with or without options before the list. */
export const getCommand = (text: string): string[] => JSON.parse(text.slice(text.indexOf('['))) as string[]

/** Returns the variables of `ENV NAME=value …`. */
export const getVariables = (stage: Stage): Record<string, string> =>
  Object.fromEntries(
    getArguments(stage, 'ENV')
      .flatMap((text) => text.split(' '))
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
