// Calls that this program makes itself, in the admin and on the command line. The exported action is the handle. Its schemas give
// the types of arguments and answer, so the removal of a field breaks the build of a page that shows it.

import type { Static, TObject } from 'typebox'
import { Failure } from '../../base/failure.ts'
import type { Caller } from '../../identity/caller.ts'
import { callName, type TypedAction } from './action.ts'
import type { Around } from './call.ts'
import { dispatch } from './dispatch.ts'
import type { CallOptions } from './options.ts'
import type { Services } from './services.ts'

/** An action as a handle. `dispatch` validates the input, so the type of `run` doesn't matter here. */
export type ActionHandle<I extends TObject, O extends TObject> = Pick<TypedAction<I, O>, 'class' | 'name' | 'job'> & {
  readonly input: I
  readonly output: O
}

/**
 * Arguments of an action. Any single value may be text, because forms and command lines have only texts. `dispatch` refuses a wrong
 * text, with a message for the person who wrote it.
 */
export type InputOf<I extends TObject> = Given<OneOrMany<Static<I>>>

/** Adds `id` as an alternative to `ids` (one-id.ts). */
type OneOrMany<T> = T extends { ids: readonly (infer One)[] } ? T | (Omit<T, 'ids'> & { id: One }) : T

type Given<T> = T extends readonly (infer One)[]
  ? readonly Given<One>[]
  : T extends object
    ? { readonly [Key in keyof T]: Given<T[Key]> }
    : T | string

/** The objects that `select` applies to: `items`, else `item`, else the answer itself (select.ts). */
type Thing<T> = T extends { items: readonly (infer Item)[] } ? Item : T extends { item: infer Item } ? Item : T

/** The names of the fields that `select` may name. */
export type FieldOf<O extends TObject> = KeyOf<Thing<Static<O>>>

type KeyOf<T> = T extends unknown ? keyof T & string : never

/**
 * An object with only the selected fields. If its type is a union of a lean and a full form, each field has the type of the form
 * that has it.
 */
type Selected<T, Field extends string> = { readonly [Key in Field]: ValueOf<T, Key> }

type ValueOf<T, Key> = T extends unknown ? (Key extends keyof T ? T[Key] : never) : never

/** The answer of an action. With `select`, its objects have only the selected fields. */
export type AnswerOf<O extends TObject, Field extends string = never> = [Field] extends [never]
  ? Static<O>
  : Static<O> extends { items: readonly unknown[] }
    ? Omit<Static<O>, 'items'> & { readonly items: readonly Selected<Thing<Static<O>>, Field>[] }
    : Static<O> extends { item: unknown }
      ? Omit<Static<O>, 'item'> & { readonly item: Selected<Thing<Static<O>>, Field> }
      : Selected<Static<O>, Field>

/** Options of a call whose `select` names fields of the answer. */
export type HandleOptions<Field extends string> = Omit<CallOptions, 'select'> & { readonly select?: readonly Field[] | undefined }

export type CallResult<T> = { readonly data: T; readonly failure?: never } | { readonly failure: Failure; readonly data?: never }

/** Runs an action for a caller. It waits for the end of a job, however long that takes. */
export async function callAction<I extends TObject, O extends TObject, const Field extends FieldOf<O> = never>(
  site: Services,
  caller: Caller,
  action: ActionHandle<I, O>,
  input: InputOf<I>,
  options: HandleOptions<Field>,
  around: Omit<Around, 'jobWaitMs'>,
): Promise<CallResult<AnswerOf<O, Field>>> {
  const call = { name: callName(action), input: input as Readonly<Record<string, unknown>>, options }
  const outcome = await dispatch(site, caller, call, { ...around, jobWaitMs: Infinity })
  if (!outcome.ok) return outcome
  const data = outcome.data.parse() as AnswerOf<O, Field>
  // An earlier call with this idempotency key ended without a result.
  return action.job === true && 'job' in data ? { failure: notDone() } : { data }
}

const notDone = (): Failure =>
  new Failure('unavailable', 'The same call ran before, and its job ended without an answer.', {
    hint: 'Repeat it without an idempotency key, or with a new one.',
  })
