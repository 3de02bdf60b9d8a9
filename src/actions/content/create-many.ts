import { type Static, Type } from 'typebox'
import { entryFields } from '../../content/types/fields.ts'
import type { EntryInput } from '../../content/entries/entry-input.ts'
import { type Findings, noFindings, type Warning } from '../../content/markdown/markup.ts'
import { Failure } from '../../base/failure.ts'
import { closed, boundedText } from '../../base/schema.ts'
import { action, callName, type Context, type Shown, type WriteContext } from '../call/action.ts'
import { asFailure } from '../call/as-failure.ts'
import { checkInput } from '../call/check-input.ts'
import { checkDeadline } from '../call/deadline.ts'
import { canSkip, onErrorProperty, orSkip } from '../call/on-error.ts'
import { writerCheck } from '../call/slices.ts'
import { fullProperty, nullable, sampleOf, writeProperties, type WriteWarning } from '../call/write-answer.ts'
import { create, createEntry } from './create.ts'
import { runsOfTerms, termsCreateProperty, termsOf } from './made-terms.ts'
import { findingsIn } from './warnings.ts'
import { entryWrite } from './writing.ts'

const maxRows = 500

const exampleRows = [
  ['Rye bread', 'Dark.'],
  ['Rolls', null],
]

const skippedRow = Type.Object({ row: Type.Integer(), error: Type.Unknown() })

export const createMany = action('SVC_Content.create-many', {
  title: 'Create [{title}|several entries]',
  summary: 'Creates entries of one type from a table: the names of the fields once, and a row of values for each entry.',
  did: 'created [{title}|several entries]',
  ...entryWrite,
  effect: 'write',
  failures: ['not_found', 'exists', 'unprocessable'],
  input: closed({
    type: entryFields.type.input,
    columns: Type.Array(boundedText('A field of `create`, or `fields.price` for a field of the type.', 200), {
      minItems: 1,
      maxItems: 100,
      description: 'The names of the fields. One of them is `title`.',
    }),
    rows: Type.Array(Type.Array(Type.Unknown(), { maxItems: 100 }), {
      minItems: 1,
      maxItems: maxRows,
      description: 'For each entry the values in the order of the columns. `null` leaves a field out.',
    }),
    terms_create: termsCreateProperty,
    on_error: onErrorProperty,
    full: fullProperty,
  }),
  output: Type.Object({
    ids: Type.Array(Type.String(), { description: 'The ids in the order of the rows: the first ten, with `full` all.' }),
    counts: Type.Object({ created: Type.Integer(), skipped: Type.Integer() }),
    skipped: Type.Optional(
      Type.Array(skippedRow, { description: 'The skipped rows, counted from 0: the first ten, with `full` all.' }),
    ),
    skipped_rows: Type.Optional(Type.Array(Type.Integer(), { description: 'All of them, where there are more than ten.' })),
    ...writeProperties,
    activity_id: nullable(Type.String()),
    activity_ids: Type.Optional(Type.Array(Type.String(), { description: 'Of a job in slices: the record of each.' })),
  }),
  examples: [
    {
      title: 'Two drafts',
      input: { type: 'post', columns: ['title', 'excerpt'], rows: exampleRows },
    },
  ],
  slices: {
    count: ({ rows }) => (rows as readonly unknown[]).length,
    cut: (input, from, to) => ({ ...input, rows: (input['rows'] as readonly unknown[]).slice(from, to), full: true }),
    join: joinAnswers,
  },
  runs: runsOfTerms,
  async prepare(context, { type, columns, rows, on_error: onError }) {
    checkColumns(columns)
    const made: (Ready | Failure)[] = []
    for (const [place, values] of rows.entries()) {
      checkDeadline(context)
      made.push(await readRow(context, { type, columns, values, place }).catch((error: unknown) => skip(error, onError)))
    }
    return made
  },
  async run(context, { on_error: onError, terms_create: makes, full }, ready) {
    const checkHeld = writerCheck(context)
    const ids: string[] = []
    const skipped: { row: number; error: unknown }[] = []
    const warned = new Map<string, Warned>()
    for (const [place, one] of ready.entries()) {
      checkDeadline(context)
      checkHeld(place)
      const made = one instanceof Failure ? one : await writeRow({ context, makes, onError }, one, place)
      if (made instanceof Failure) skipped.push({ row: place, error: errorOf(context, made) })
      else {
        ids.push(made.row.id)
        for (const warning of made.warnings) noteWarning(warned, warning, place)
      }
    }
    return {
      ids: sampleOf(ids, full),
      counts: { created: ids.length, skipped: skipped.length },
      ...skippedOf(skipped, full),
      warnings: [...warned.values()].map(inOne),
      activity_id: null,
    }
  },
})

/** The skipped rows in an answer. Each may have a long failure, and a thousand of them would not fit. */
function skippedOf(skipped: readonly Static<typeof skippedRow>[], full: boolean | undefined) {
  if (skipped.length === 0) return {}
  const shown = sampleOf(skipped, full)
  return { skipped: shown, ...(shown.length < skipped.length && { skipped_rows: skipped.map(({ row }) => row) }) }
}

interface Row {
  readonly type: string
  readonly columns: readonly string[]
  readonly values: readonly unknown[]
  readonly place: number
}

/** A row that is checked and rendered. */
interface Ready {
  readonly input: EntryInput
  readonly found: Findings
}

/** @throws Failure `invalid` */
function checkColumns(columns: readonly string[]): void {
  const twice = columns.find((name, place) => columns.indexOf(name) < place)
  if (twice !== undefined)
    throw new Failure('invalid', `There are two columns ${JSON.stringify(twice)}.`, {
      field: 'columns',
      expected: 'each field once',
    })
  if (columns.includes('password'))
    throw new Failure('invalid', 'A table sets no passwords.', {
      field: 'columns',
      expected: 'columns without `password`',
      hint: 'SVC_Content.update sets the password of one entry.',
    })
  if (columns.includes('type'))
    throw new Failure('invalid', 'The type of all rows is the argument `type`.', {
      field: 'columns',
      expected: 'columns without `type`',
    })
}

/** Makes the input of `create` from a row, checks it and renders its body. @throws Failure, naming the row */
function readRow(context: Context, { type, columns, values, place }: Row): Promise<Ready> {
  return inRow(place, async () => {
    if (values.length !== columns.length)
      throw new Failure(
        'invalid',
        `Row ${place} needs ${columns.length} values, one for each column, and has ${values.length}.`,
        {
          expected: `${columns.length} values`,
        },
      )
    const input: Record<string, unknown> = { type }
    for (const [at, name] of columns.entries()) if (values[at] !== null) setField(input, name, values[at])
    const { site, caller } = context
    checkInput(caller, site.registry.find(callName(create), site.types.current) ?? create, input)
    const { body } = input as EntryInput
    return { input, found: body === undefined ? noFindings : await findingsIn(context, body) }
  })
}

/** `fields.price` is the member `price` of `fields`. */
function setField(input: Record<string, unknown>, name: string, value: unknown): void {
  const [field = '', member] = name.split(/\.(.*)/s)
  input[field] = member === undefined ? value : { ...(input[field] as Shown | undefined), [member]: value }
}

interface Writing {
  readonly context: WriteContext
  readonly makes: boolean | undefined
  readonly onError: 'stop' | 'skip' | undefined
}

/** @returns the failure of a row that is skipped */
function writeRow({ context, makes, onError }: Writing, { input, found }: Ready, place: number) {
  const write = (within: WriteContext) =>
    inRow(place, async () => {
      // Terms that a skipped row made are rolled back with it.
      const terms = termsOf(within, makes)
      const { row, warnings } = await createEntry(within, input, found, terms)
      const all: readonly (Warning | WriteWarning)[] = [...warnings, ...terms.warnings]
      return { row, warnings: all }
    })
  return onError === 'skip' ? orSkip(context, write) : write(context)
}

/** Adds the place of a row to a failure. */
async function inRow<T>(place: number, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { field } = error.detail
    throw new Failure(
      error.code,
      error.message,
      { ...error.detail, field: field === undefined ? `rows.${place}` : `rows.${place}.${field}` },
      { cause: error },
    )
  }
}

/** @throws the error, if it ends the call */
function skip(error: unknown, onError: string | undefined): Failure {
  if (onError === 'skip' && canSkip(error)) return error
  throw error
}

const errorOf = ({ site, caller }: Context, failure: Failure): unknown =>
  asFailure(site, caller, { name: callName(create) }, failure).toJSON()

/** A warning, and the rows that have it. */
interface Warned {
  readonly warning: Warning | WriteWarning
  readonly rows: number[]
}

function noteWarning(warned: Map<string, Warned>, warning: Warned['warning'], row: number) {
  const known = warned.get(warning.code)
  if (known) known.rows.push(row)
  else warned.set(warning.code, { warning, rows: [row] })
}

/** Makes one warning of the same one in several rows. */
const inOne = ({ warning: { found, ...warning }, rows }: Warned): WriteWarning => ({
  ...warning,
  ...(found && { found: [...found] }),
  message: `${rows.length === 1 ? `Row ${rows[0]}` : `${rows.length} rows, such as row ${rows[0]}`}: ${warning.message}`,
})

interface ManyAnswer extends Shown {
  readonly ids: readonly string[]
  readonly counts: { readonly created: number; readonly skipped: number }
  readonly skipped?: readonly { readonly row: number; readonly error: unknown }[]
  readonly warnings: readonly WriteWarning[]
  readonly activity_id: string | null
}

/** Makes one answer of those of slices. Rows count from the first row of the call. */
function joinAnswers({ full }: Shown, given: readonly Shown[]): Shown {
  const answers = given as readonly ManyAnswer[]
  const skipped: { readonly row: number; readonly error: unknown }[] = []
  let before = 0
  for (const { counts, skipped: some = [] } of answers) {
    skipped.push(...some.map(({ row, error }) => ({ row: row + before, error })))
    before += counts.created + counts.skipped
  }
  const ids = answers.flatMap((answer) => answer.ids)
  return {
    ids: sampleOf(ids, full === true),
    counts: { created: ids.length, skipped: skipped.length },
    ...(skipped.length > 0 && { skipped }),
    warnings: answers.flatMap(({ warnings }) => warnings).slice(0, 20),
    activity_id: null,
    activity_ids: answers.flatMap(({ activity_id: id }) => (id === null ? [] : [id])),
  }
}
