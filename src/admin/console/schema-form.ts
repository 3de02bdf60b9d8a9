// A form made from the input schema of an action, and the arguments read from the form. Empty fields are left out of the call.
// Values that a form can't show as fields, such as a list of objects, are JSON.

import type { TObject } from 'typebox'
import { compactType } from '../../actions/api/compact-type.ts'
import { html, type Html, type HtmlValue, raw } from '../../doors/shared/html.ts'
import { Failure } from '../../base/failure.ts'
import { isObject } from '../../base/json.ts'
import { type Fields, partsOf } from '../form.ts'
import { withCode } from '../parts/with-code.ts'
import { areaField, type Choice, selectField, textField } from '../parts/fields.ts'
import type { MessageKey, Words } from '../words.ts'

type Schema = Readonly<Record<string, unknown>>

/** The kind of control for an argument. */
type Control = 'line' | 'lines' | 'number' | 'choice' | 'switch' | 'list' | 'json'

interface Argument {
  readonly name: string
  readonly schema: Schema
  readonly control: Control
  readonly required: boolean
  readonly nullable: boolean
}

/** Texts with a longer maximum get several lines. The limits of paths and other names are below it. */
const lineChars = 1100

/** The arguments of an action in the order of its schema, required ones first. */
function argumentsOf(input: TObject): readonly Argument[] {
  const required = new Set(input.required ?? [])
  const all = Object.entries(input.properties).map(([name, given]) => {
    const { schema, nullable } = withoutNull(given as Schema)
    return { name, schema, nullable, control: controlOf(schema), required: required.has(name) }
  })
  return [...all.filter((one) => one.required), ...all.filter((one) => !one.required)]
}

function withoutNull(schema: Schema): { readonly schema: Schema; readonly nullable: boolean } {
  const { anyOf } = schema
  if (!Array.isArray(anyOf)) return { schema, nullable: false }
  const parts = anyOf as Schema[]
  const others = parts.filter(({ type }) => type !== 'null')
  const [only] = others
  const nullable = others.length < parts.length
  return others.length === 1 && only ? { schema: { ...schema, ...only, anyOf: undefined }, nullable } : { schema, nullable }
}

const controls: Readonly<Record<string, (schema: Schema) => Control>> = {
  string: ({ maxLength }) => (Number(maxLength) > lineChars ? 'lines' : 'line'),
  integer: () => 'number',
  number: () => 'number',
  boolean: () => 'switch',
  array: ({ items }) => (isObject(items) && items['type'] === 'string' ? 'list' : 'json'),
}

function controlOf(schema: Schema): Control {
  if (Array.isArray(schema['enum'])) return 'choice'
  return controls[String(schema['type'])]?.(schema) ?? 'json'
}

/**
 * The fields of an action's arguments.
 * @param value returns what was filled in before
 * @param fault the refused argument and the reason
 */
export function schemaFields(t: Words, input: TObject, value: (name: string) => string | undefined, fault?: Fault): Html {
  const all = argumentsOf(input)
  const show = (argument: Argument) => fieldOf(t, argument, value, fault)
  const [first, more] = [all.filter(({ required }) => required), all.filter(({ required }) => !required)]
  if (first.length === 0 || more.length <= fewArguments) return html`${all.map(show)}`
  const isUsed = more.some(({ name }) => value(fieldName(name)) || isAt(fault, name))
  return html`${first.map(show)}
    <details ${isUsed ? raw('open') : ''}>
      <summary>${t('console.more_arguments', { count: more.length })}</summary>
      ${more.map(show)}
    </details>`
}

/** The number of optional arguments that are shown next to the required ones. */
const fewArguments = 3

interface Fault {
  readonly field: string
  readonly message: string
}

const isAt = (fault: Fault | undefined, name: string): fault is Fault =>
  fault !== undefined && (fault.field === name || fault.field.startsWith(`${name}.`))

/** The name of a field in the form. The prefix keeps arguments apart from the options of the call. */
const fieldName = (name: string): string => `arg.${name}`

function fieldOf(t: Words, argument: Argument, value: (name: string) => string | undefined, fault: Fault | undefined): HtmlValue {
  const { name, schema, control, required, nullable } = argument
  const common = {
    name: fieldName(name),
    label: required ? t('console.required', { name }) : name,
    value: value(fieldName(name)),
    help: helpOf(t, argument),
    fault: isAt(fault, name) ? fault.message : undefined,
  }
  const clear =
    nullable &&
    html`<label class="choice">
      <input type="checkbox" name="null.${name}" value="yes" ${value(`null.${name}`) === 'yes' ? raw('checked') : ''} />
      <span>${t.rich('console.clear', { name: html`<code>${name}</code>` })}</span>
    </label>`
  const shown: Readonly<Record<Control, () => Html>> = {
    line: () => textField(common),
    lines: () => areaField({ ...common, rows: 8 }),
    number: () => textField({ ...common, type: 'number' }),
    choice: () => selectField({ ...common, choices: choicesOf(schema['enum'] as unknown[]) }),
    switch: () => selectField({ ...common, choices: choicesOf([true, false]) }),
    list: () => areaField({ ...common, rows: 3 }),
    json: () => areaField({ ...common, rows: 4 }),
  }
  return html`${shown[control]()} ${clear}`
}

const choicesOf = (values: readonly unknown[]): readonly Choice[] => [
  { value: '', label: '–' },
  ...values.map((value) => ({ value: String(value), label: String(value) })),
]

const forms: Readonly<Partial<Record<Control, MessageKey>>> = { list: 'console.one_per_line', json: 'console.as_json' }

function helpOf(t: Words, { schema, control }: Argument): HtmlValue {
  const form = forms[control]
  const type = control === 'json' && html` <code>${compactType(schema)}</code>`
  const description = typeof schema['description'] === 'string' ? schema['description'] : undefined
  return html`${description !== undefined && withCode(description)} ${form && t(form)}${type}`
}

/**
 * Reads the arguments from a form.
 * @throws Failure `invalid` that names an argument with invalid JSON, an invalid number or an invalid choice
 */
export function argumentsFrom(t: Words, input: TObject, fields: Fields): Readonly<Record<string, unknown>> {
  const given: Record<string, unknown> = {}
  for (const argument of argumentsOf(input)) {
    const { name, nullable } = argument
    const text = fields.get(fieldName(name))
    if (nullable && fields.get(`null.${name}`) === 'yes') given[name] = null
    else if (text.trim() !== '') given[name] = readers[argument.control](text, argument, t)
  }
  return given
}

const readers: Readonly<Record<Control, (text: string, argument: Argument, t: Words) => unknown>> = {
  line: (text) => text,
  lines: (text) => text,
  number: (text, { name }, t) => {
    const number = Number(text)
    if (Number.isFinite(number)) return number
    throw new Failure('invalid', t('console.must_be_number', { name }), { field: name })
  },
  choice: (text, { schema }) => (schema['enum'] as unknown[]).find((value) => String(value) === text) ?? text,
  switch: (text) => text === 'true',
  list: (text) => partsOf(text, '\n'),
  json: (text, { name }, t) => {
    try {
      return JSON.parse(text)
    } catch {
      throw new Failure('invalid', t('console.must_be_json', { name, example: '{"a": 1}', other: '["a", "b"]' }), { field: name })
    }
  },
}

/** The value of a form field from an example of the action. */
export function exampleValue(input: TObject, example: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const argument = argumentsOf(input).find((one) => fieldName(one.name) === name)
  const value = argument && example[argument.name]
  if (!argument || value === undefined || value === null) return undefined
  if (argument.control === 'list') return (value as readonly string[]).join('\n')
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
}
