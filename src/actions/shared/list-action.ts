// The declaration of an action that lists the rows of a table.

import type { Static, TObject } from 'typebox'
import type { Tier } from '../../identity/caller.ts'
import { closed } from '../../base/schema.ts'
import type { Schema } from '../../store/core/schema.ts'
import { action, type Context, type Example } from '../call/action.ts'
import {
  listAnswer,
  type ListInput,
  type ListOptions,
  listOutput,
  listProperties,
  listRows,
  type ListSpec,
} from '../lists/list.ts'

interface ListDeclaration<T extends keyof Schema, I extends TObject> {
  readonly title: string
  readonly summary: string
  readonly tier: Tier
  readonly examples: readonly Example[]
  readonly list: ListSpec<T>
  readonly item: I
  /** Returns the options that limit the rows: to those that the caller may see, and to those that the input asks for. */
  options?(context: Context, input: ListInput): Omit<ListOptions<T, never>, 'columns'>
  /** Runs first, as in every declaration. */
  prepare?(context: Context): Promise<unknown>
  /** Reads the data for the items of these rows at once. @returns a function that makes the item of a row */
  items(context: Context, rows: readonly Schema[T][]): ItemMaker<T, I> | Promise<ItemMaker<T, I>>
}

type ItemMaker<T extends keyof Schema, I extends TObject> = (row: Schema[T]) => Static<I> | Promise<Static<I>>

/** Declares an action that lists a table, such as `SVC_Class.list`. */
export function listAction<T extends keyof Schema, I extends TObject>(
  called: `${string}.${string}`,
  { list, item, options = () => ({}), items, ...declared }: ListDeclaration<T, I>,
) {
  return action(called, {
    ...declared,
    effect: 'read',
    input: closed(listProperties(list)),
    output: listOutput(item),
    async run(context, input: ListInput) {
      const page = await listRows(context, list, input, options(context, input))
      const rows = page.rows as readonly Schema[T][]
      // The compiler can't see that an array of these items fits the schema while their type is open.
      return (await listAnswer(context, { ...page, rows }, await items(context, rows))) as never
    },
  })
}
