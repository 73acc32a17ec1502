/** Generates the types of records and webhook events for the Python client. */
import type { Document, Schema } from './client-document.ts'
import { trimmedNames } from './client-document.ts'
import { fieldComment, isKeyword, pascal, quoted } from './python-names.ts'

export const scalars: Readonly<Record<string, string>> = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }

export const literal = (values: readonly unknown[]): string =>
  `Literal[${values.map((value) => (typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value))).join(', ')}]`

/** Returns the record that a reference points to. */
export const referenced = ($ref: string): string => $ref.split('/').at(-1) ?? ''

/** Collects classes while it converts schemas to Python types. */
class Models {
  readonly classes: string[] = []

  /** Returns the type of a schema. An object in it becomes a class with this name. */
  type(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return referenced(schema.$ref)
    if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => this.type(one, name)))].join(' | ')
    if (Array.isArray(schema.type)) return schema.type.map((type: string) => this.type({ ...schema, type }, name)).join(' | ')
    if (schema.type === 'null') return 'None'
    if (schema.enum) return literal(schema.enum)
    if (schema.type === 'array') return `list[${this.type(schema.items ?? {}, `${name}Item`)}]`
    if (schema.properties) return this.record(schema, name)
    return scalars[String(schema.type)] ?? 'Any'
  }

  /** Adds a class for an object and returns its name. */
  record({ properties = {}, required = [], description }: Schema, name: string): string {
    const fields = Object.entries(properties).map(([field, schema]) => {
      const type = this.type(schema, name + pascal(field))
      return { field, type: required.includes(field) ? type : `NotRequired[${type}]`, text: schema.description ?? '' }
    })
    const about = description === undefined ? '' : `    ${quoted(description)}\n\n`
    // A field whose name is a keyword, such as `from`, needs the functional form.
    if (fields.some(({ field }) => isKeyword(field))) {
      const lines = fields.map(({ field, type, text }) => `${fieldComment(text, '        ')}        ${quoted(field)}: ${quoted(type)},\n`)
      this.classes.push(`${name} = TypedDict(\n    ${quoted(name)},\n    {\n${lines.join('')}    },\n)\n`)
    } else {
      const lines = fields.map(({ field, type, text }) => `${text === '' ? '' : fieldComment(text, '    ')}    ${field}: ${type}\n`)
      this.classes.push(`class ${name}(TypedDict):\n${about}${lines.join('') || '    pass\n'}`)
    }
    return name
  }
}

/** Returns the names of the records whose rows `fields` can trim. */
function trimmable(full: Document): string[] {
  return [...trimmedNames(full)].map((name) => name.replace(/Fields$/, ''))
}

/** Generates models.py. */
export function pythonModels(full: Document, notice: string): string {
  const models = new Models()
  const trimmed = trimmedNames(full)
  const schemas = full.components.schemas as Readonly<Record<string, Schema>>
  for (const [name, schema] of Object.entries(schemas)) if (!(name.endsWith('Error') || trimmed.has(name))) models.record(schema, name)
  const events = Object.entries(full.webhooks).map(([type, methods]) => {
    const content = Object.values(methods)[0]?.requestBody.content['application/json'] as { schema?: Schema } | undefined
    return models.record(content?.schema ?? {}, `${pascal(type)}Event`)
  })
  const fields = trimmable(full).map((name) => `${name}Field = ${literal(Object.keys(schemas[name]?.properties ?? {}))}\n`)
  const union = `#: Webhook events. New types are added over time, so handle only those that you know.\nWebhookEvent = Union[${events.join(', ')}]\n`
  const any = models.classes.some((code) => /\bAny\b/.test(code.replace(/#.*/g, ''))) ? 'Any, ' : ''
  return [
    `${notice}"""Records of the API."""\n\nfrom __future__ import annotations\n\nfrom typing import ${any}Literal, NotRequired, TypedDict, Union\n`,
    ...models.classes,
    `${fields.join('')}\n${union}`,
  ].join('\n\n')
}
