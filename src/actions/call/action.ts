// The declaration of an action, from which listing, schema, docs, permission, audit and undo are derived. registry.ts finds
// actions, dispatch.ts runs them.

import type { Static, TObject, TSchema } from 'typebox'
import type { Code } from '../../base/failure.ts'
import type { RecordAuthor } from '../../activity/record.ts'
import type { Caller, Tier } from '../../identity/caller.ts'
import type { Touches } from '../../identity/check-limits.ts'
import type { Progress } from '../../jobs/jobs.ts'
import type { JsonText } from '../../base/json.ts'
import type { Change, RowChange } from '../../store/change/change.ts'
import type { Db } from '../../store/core/database.ts'
import type { Area, Kind } from '../../store/change/kinds.ts'
import { takeOneId } from './one-id.ts'
import type { Registry } from './registry.ts'
import type { Services } from './services.ts'
import type { Slices } from './slices.ts'

/**
 * The effects of an action: it reads, writes (can be undone), acts on credentials or on something outside the site, or destroys
 * permanently.
 */
export const effects = ['read', 'write', 'act', 'destroy'] as const

/** The context of an action. The queries of `db` end with `signal`; in a write, `db` is the transaction. */
export interface Context {
  readonly caller: Caller
  /** UTC milliseconds; the same for the whole call. */
  readonly now: number
  readonly db: Db
  /** True if `db` is a transaction. It may have written rows that the caches do not have yet. */
  readonly inTransaction: boolean
  readonly site: Services
  /** Origin and base path for links in the answer: `https://example.org/blog`, without a slash at the end. */
  readonly origin: string
  /** The fields that the caller selects; undefined for the default ones. */
  readonly select: readonly string[] | undefined
  readonly dryRun: boolean
  /** Aborts when the caller disconnects or the time limit of the action is reached. */
  readonly signal: AbortSignal
  /** Called with the changes and the time of a dry run, before it is rolled back. */
  readonly onTried?: ((changes: readonly RowChange[], now: number) => void) | undefined
  /** True if the change is merged with the autosave before it. */
  readonly autosave?: boolean | undefined
  /** True if the answer may be longer than 80 KB. */
  readonly longAnswer?: boolean | undefined
  /** True for a slice of a call (slices.ts). */
  readonly isSlice?: boolean | undefined
  /** Reports progress, if the action runs as a job or the caller asked for it. */
  readonly progress?: ((progress: Progress) => void) | undefined
}

/** The context of a write: also its change, and work for after the commit. */
export interface WriteContext extends Context {
  readonly change: Change
  /** The id of the activity record, if the call writes one. */
  readonly activityId: string
  /** Adds the name, tier and effect of another action that ran within this one to the record. */
  ran(action: { readonly class: string; readonly name: string; readonly tier: Tier; readonly effect: string }): void
  /** Adds members to the input in the activity record. */
  noteInput(more: Shown): void
  /** Puts the record under the name of the proposer, whose calls the caller has accepted. */
  acceptedFor(proposer: RecordAuthor): void
  /** Makes every process reload these areas after the commit, even if no row in them changed. */
  makeStale(areas: readonly Area[]): void
  /** Runs a function after the commit. It is discarded in a dry run and after a failure. */
  afterCommit(run: () => void | Promise<void>): void
}

/** An example call. `describe-action` shows it, and the tests run it over MCP and REST. */
export interface Example {
  readonly title: string
  readonly input: Readonly<Record<string, unknown>>
}

type Result<O extends TSchema> = Static<O> | JsonText

/** Members of an input or of an answer, by name. */
export type Shown = Readonly<Record<string, unknown>>

/** An input and its result without secrets, for activity records, stored answers and dry runs. */
export interface Storable {
  readonly input: Shown
  readonly result: Shown
}

interface Named {
  readonly class: string
  readonly name: string
}

/**
 * A thing that an action touches, or an object with the function `by` if it depends on the input. `least` is what every input
 * touches.
 */
type Touched<I extends TObject> = Touches | { readonly least: Touches; by(input: Static<I>): Touches }

interface Declaration<I extends TObject, O extends TObject, P> {
  /**
   * The name for people, as an instruction: `Publish [{title}|an entry]`. `{title}` is the object. Of two texts in brackets, the
   * first is for a known object, the second for none. Proposals show it.
   */
  readonly title: string
  /** One line about the effect, for people and models alike. */
  readonly summary: string
  /** The kind of the objects, and the page of the admin that shows one of them by its `id`. */
  readonly object?: { readonly kind: Kind; readonly page: string }
  readonly tier: Tier
  /** Failure codes in addition to those that all actions of its kind have (failures.ts). The default is none. */
  readonly failures?: readonly Code[]
  readonly input: I
  readonly output: O
  readonly examples: readonly Example[]
  /** Top-level members of input and result that are shown once and never stored. */
  readonly secrets?: readonly string[]
  /** Replaces `secrets` for an action that runs others, whose secrets are nested. */
  storable?(registry: Registry, input: Static<I>, result: Shown): Storable
  /** False excludes the action from batches, as for all actions that destroy or run as jobs. */
  readonly batchable?: boolean
  /**
   * True if the action runs as a job, because it may take longer than a call. A call that takes too long is answered with `{job}`.
   */
  readonly job?: boolean
  /** True if a call may take several transactions: the action then throws `InParts`. */
  readonly inParts?: boolean
  /** Cuts a call into slices, if it writes so many things that it would hold the writer for too long. */
  readonly slices?: Slices
  /** The member of the answer with an image, `{mime_type, base64}`, which MCP clients get as an image. */
  readonly shows?: string
  /** The member of the answer with an address that a person opens. MCP clients also get it as a link. */
  readonly links?: string
  /** Runs before the transaction, for requests, hashes and rendering. Its result is the third argument of `run`. */
  prepare?(context: Context, input: Static<I>): Promise<P>
}

/** The declaration of an action that reads. */
interface Reading<I extends TObject, O extends TObject, P> extends Declaration<I, O, P> {
  readonly effect: 'read'
  /** As in `Writing`. The default is nothing. */
  readonly touches?: Touched<I>
  /**
   * True if the answer gives access to the whole site, as a link to a backup does. The console asks for re-authentication first.
   */
  readonly opensSite?: boolean
  run(context: Context, input: Static<I>, prepared: P): Result<O> | Promise<Result<O>>
}

/** The declaration of an action that changes something. `run` awaits only the database, and dispatch completes its result. */
interface Writing<I extends TObject, O extends TObject, P> extends Declaration<I, O, P> {
  readonly effect: 'write' | 'act' | 'destroy'
  /** The thing that the action touches, for the limits of tokens. */
  readonly touches: Touched<I>
  /**
   * The same in the past tense, without a capital: `published [{title}|an entry]`. The activity and the confirmation after a form
   * show it.
   */
  readonly did: string
  /** The summary of a record, where what the call did says more than the summary of the action. */
  recorded?(records: readonly RowChange[]): string | undefined
  /** True if the action takes `if_revision`, which is compared with the first object that the action writes. */
  readonly revisioned?: boolean
  /**
   * Makes one input of two calls about one object, of which the second follows the first. A proposal joins its calls by this;
   * undefined, which is the default, keeps both.
   */
  combine?(earlier: Shown, later: Shown): Shown | undefined
  /** True if the action runs outside any transaction, because it waits for code that makes calls. It has no `context.change`. */
  readonly outside?: boolean
  /** The hint for a cut diff; the default suggests a dry run for one object. */
  readonly diffHint?: string
  /** Names other actions that a call with this input may run. If a limit asks first for one of them, the call waits. */
  runs?(input: Static<I>): readonly string[]
  /** Returns true if this input needs a transaction. The default is true for every input. */
  writes?(registry: Registry, input: Static<I>): boolean
  /**
   * Top-level members of the input that `prepare` reads. The default is all. In a batch, the other members may still be references
   * such as
   * `$0.item.id` while `prepare` runs.
   */
  readonly prepares?: readonly string[]
  /**
   * Runs after the commit, for reads that must see the writes. It returns the answer, or undefined to keep the answer of `run`. It
   * must not throw, because the writes are saved.
   */
  complete?(context: Context, input: Static<I>, prepared: P, answer: Static<O>): Promise<Static<O> | undefined>
  /** Removes files that `prepare` left, if the call failed afterwards. */
  abandon?(context: Context, prepared: P): Promise<void>
  run(context: WriteContext, input: Static<I>, prepared: P): Promise<Static<O>>
}

/** An action with the types of its schemas. call-action.ts infers arguments and answer from them. */
export type TypedAction<I extends TObject, O extends TObject, P = unknown> = ReadAction<I, O, P> | WriteAction<I, O, P>

/** An action that reads. */
export interface ReadAction<I extends TObject, O extends TObject, P> extends Named, Reading<I, O, P> {
  readonly failures: readonly Code[]
  readonly touches: Touched<I>
}

/** An action that changes something. */
export interface WriteAction<I extends TObject, O extends TObject, P> extends Named, Writing<I, O, P> {
  readonly failures: readonly Code[]
}

/** Any action, as the registry and dispatch use it. Its input is validated before `run`. */
export type Action = TypedAction<TObject, TObject>

/** Declares the action `SVC_Class.name` and preserves the types of its schemas. An action that takes `ids` also takes `id`. */
export function action<const I extends TObject, const O extends TObject, P = undefined>(
  called: `${string}.${string}`,
  declaration: Reading<I, O, P> | Writing<I, O, P>,
): TypedAction<I, O, P> {
  const [of, name] = called.split('.') as [string, string]
  return takeOneId({ failures: [], touches: 'nothing', ...declaration, class: of, name })
}

/** `SVC_Content.get` */
export function callName(action: { readonly class: string; readonly name: string }): string {
  return `${action.class}.${action.name}`
}

/** Returns the title of an action without any object: `Publish an entry`. */
export const titleWithoutObject = ({ title }: Pick<Action, 'title'>): string =>
  title.replace(/\[([^[\]|]*)(?:\|([^[\]|]*))?\]/g, '$2')

/** Returns the first clause of a summary, which says the effect. The rest is for callers. */
export const clauseOf = (summary: string): string => summary.replace(/(?:[,;:]|\. ).*$/s, '').replace(/\.$/, '')

/** Returns the input and result of a call without secrets. */
export function storable(registry: Registry, action: Action, input: Shown, result: Shown): Storable {
  if (action.storable) return action.storable(registry, input, result)
  const open = (shown: Shown) =>
    action.secrets ? Object.fromEntries(Object.entries(shown).filter(([name]) => !action.secrets?.includes(name))) : shown
  return { input: open(input), result: open(result) }
}
