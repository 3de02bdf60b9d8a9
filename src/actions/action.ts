// What an action is: one declaration from which listing, schema, docs, permission, audit and undo are derived.
// How one is run is dispatch.ts's; which there are is registry.ts's.

import type { Static, TObject, TSchema } from 'typebox'
import type { Code } from '../failure.ts'
import type { Caller, Tier } from '../identity/caller.ts'
import type { Touches } from '../identity/check-limits.ts'
import type { Progress } from '../jobs/jobs.ts'
import type { JsonText } from '../json.ts'
import type { Change } from '../store/change.ts'
import type { Db } from '../store/database.ts'
import { takeOneId } from './one-id.ts'
import type { Services } from './services.ts'

/** What running an action does to the site (ACTIONS.md "Does"): r, w, s and d of the catalogue. */
export const effects = ['read', 'write', 'act', 'destroy'] as const

/** What an action may use. `db` is a reader of calls, whose queries end with `signal`; inside a write it is the transaction. */
export interface Context {
  readonly caller: Caller
  /** UTC milliseconds; one moment for the whole call. */
  readonly now: number
  readonly db: Db
  /** Whether `db` is a transaction, which may have written what no cache knows yet. */
  readonly inTransaction: boolean
  readonly site: Services
  /** Where links of this answer lead: `https://example.org/blog`, without a slash at the end. */
  readonly origin: string
  /** The fields that the caller wants of each thing; undefined for the usual ones. */
  readonly select: readonly string[] | undefined
  readonly dryRun: boolean
  /** Ends when the caller leaves or the action's time is up. */
  readonly signal: AbortSignal
  /** Tells how far the work is, where it runs as a job. */
  readonly progress?: ((progress: Progress) => void) | undefined
}

/** What a write may use besides: the change it is part of, and what is to be done once that is committed. */
export interface WriteContext extends Context {
  readonly change: Change
  /** The id that this call's activity record gets, where it leaves one. */
  readonly activityId: string
  /** Says that another action ran within this one: its name, tier and effect go into the record. */
  ran(action: { readonly class: string; readonly name: string; readonly tier: Tier; readonly effect: string }): void
  /** Runs after the commit; dropped under `dry_run` and on failure. */
  afterCommit(run: () => void | Promise<void>): void
}

/** A worked call, shown by `describe-action` and run by the tests on both doors. */
export interface Example {
  readonly title: string
  readonly input: Readonly<Record<string, unknown>>
}

type Result<O extends TSchema> = Static<O> | JsonText

type Shown = Readonly<Record<string, unknown>>

/** An input and its result without what is shown once: what activity records, kept answers and dry runs hold. */
export interface Storable {
  readonly input: Shown
  readonly result: Shown
}

interface Declaration<I extends TObject, O extends TObject, P> {
  readonly class: string
  readonly name: string
  /** One line: what it does, for people and models alike. */
  readonly summary: string
  readonly tier: Tier
  /** Codes that it can fail with, beyond those that every action of its kind has (failures.ts). */
  readonly failures: readonly Code[]
  /** What it touches: this decides which limits of a token refuse it. An object where it depends on the input. */
  readonly touches: Touches | { by(input: Static<I>): Touches }
  readonly input: I
  readonly output: O
  readonly examples: readonly Example[]
  /** Top-level members of input and result that are shown once and never stored. */
  readonly secrets?: readonly string[]
  /** Tells `storable` for an action that runs others, whose secrets stand deeper. */
  storable?(site: Services, input: Static<I>, result: Shown): Storable
  /** False where it never goes into a batch; `destroy` never does, nor what runs as a job. */
  readonly batchable?: boolean
  /** Whether it may outlast the call (⧗ in ACTIONS.md): then it runs as a job, and may be answered `{job}`. */
  readonly job?: boolean
  /** Before the transaction: fetching, hashing, rendering. What it returns is `run`'s third argument. */
  prepare?(context: Context, input: Static<I>): Promise<P>
}

/** An action that reads. */
export interface ReadAction<I extends TObject, O extends TObject, P> extends Declaration<I, O, P> {
  readonly effect: 'read'
  run(context: Context, input: Static<I>, prepared: P): Result<O> | Promise<Result<O>>
}

/** An action that changes something; it awaits nothing but the database. `activity_id` and `diff` are added to its result by dispatch. */
export interface WriteAction<I extends TObject, O extends TObject, P> extends Declaration<I, O, P> {
  readonly effect: 'write' | 'act' | 'destroy'
  /** Whether `if_revision` makes sense: one object changes, the first that is written. */
  readonly revisioned?: boolean
  /** Runs outside any transaction, as it waits for others' code that makes calls of its own; `context.change` is not there. */
  readonly outside?: boolean
  /** How one difference of a long dry run is seen, where it isn't by calling this for one thing. */
  readonly diffHint?: string
  /** Whether this input needs the writer at all; always, unless it says otherwise. */
  writes?(site: Services, caller: Caller, input: Static<I>): boolean
  /**
   * Top-level members of the input that `prepare` looks at; all, unless it says so. Another one may be a text such as `$0.item.id`
   * then, which a batch replaces by an earlier call's result before `run`.
   */
  readonly prepares?: readonly string[]
  /**
   * After the commit, outside of any transaction: reads that must see what was written. What it returns is the answer; undefined leaves
   * the one that `run` gave. It doesn't throw: what was written stands.
   */
  complete?(context: Context, input: Static<I>, prepared: P, answer: Static<O>): Promise<Static<O> | undefined>
  /** Takes back what `prepare` has left on the disk, where the call failed after it. */
  abandon?(context: Context, prepared: P): Promise<void>
  run(context: WriteContext, input: Static<I>, prepared: P): Promise<Static<O>>
}

/** An action with the types of its schemas, by which those who call it in this program know its arguments and its answer. */
export type TypedAction<I extends TObject, O extends TObject, P = unknown> = ReadAction<I, O, P> | WriteAction<I, O, P>

/** Any action, as the registry and dispatch use it: its input is validated before `run` gets it. */
export type Action = TypedAction<TObject, TObject>

/** Declares an action and keeps the types of its schemas. An action that takes `ids` takes `id` as well. */
export function action<const I extends TObject, const O extends TObject, P = undefined>(
  declaration: TypedAction<I, O, P>,
): TypedAction<I, O, P> {
  return takeOneId(declaration)
}

/** `SVC_Content.get` */
export function callName(action: { readonly class: string; readonly name: string }): string {
  return `${action.class}.${action.name}`
}

/** What may be stored of a call. */
export function storable(site: Services, action: Action, input: Shown, result: Shown): Storable {
  if (action.storable) return action.storable(site, input, result)
  const open = (shown: Shown) =>
    action.secrets ? Object.fromEntries(Object.entries(shown).filter(([name]) => !action.secrets?.includes(name))) : shown
  return { input: open(input), result: open(result) }
}
