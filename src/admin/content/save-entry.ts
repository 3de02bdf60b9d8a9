// The actions of the editor's form: save, stage, publish, create a preview link, and the actions of its menu. After a refusal the
// form shows the submitted values again. Every write names the revision that the form was made from, so nobody's text is
// overwritten unseen.

import { batch } from '../../actions/api/batch.ts'
import { content } from '../../actions/content/index.ts'
import { terms } from '../../actions/terms/index.ts'
import { Failure } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import type { Fields } from '../form.ts'
import { mayRun } from '../navigation.ts'
import { run } from '../page.ts'
import { type Done, goDone } from '../parts/done-notice.ts'
import { revisionIn, sinceShown } from '../parts/post-form.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { editorReply, type EditorView, newEntryOf } from './editor-page.ts'
import { findForField, withChoice } from './reference-field.ts'
import { type EditedEntry, isLive, isNew } from './edited-entry.ts'
import { readEntryForm } from './entry-form.ts'
import { changedNames, filledIn, inputOf, typedTerms, valuesOf } from './entry-values.ts'
import { referenceSpecs } from './form-fields.ts'
import { textIn, type Values } from './form-parts.ts'
import { findMade } from './made-entry.ts'
import { passwordIn, savePassword } from './password-field.ts'
import { readEntry } from './read-entry.ts'
import { isSavedByOneself } from './saved-by-oneself.ts'

/** A submitted form and the current entry. */
export interface Draft {
  readonly item: EditedEntry
  readonly stored: Values
  readonly values: Values
  readonly fields: Fields
  /** The revision that the form was made from. */
  readonly revision: number
}

type Input = Readonly<Record<string, unknown>>
type Saved = { readonly failure?: Failure | undefined; readonly id?: string; readonly done?: Done }

const previewSeconds = 7 * 86_400

/** POST; the entry is new, or named by `id`. */
export async function saveEntry(visit: SignedIn): Promise<Reply> {
  const fields = await readEntryForm(visit)
  const id = visit.request.query.get('id') ?? fields.get('id')
  const deed = fields.get('do')
  if (Object.hasOwn(menuDeeds, deed)) return menuReply(visit, id, deed, fields)
  const draft = await draftOf(visit, id, fields)
  const { item } = draft
  if (deed === 'preview') return previewReply(visit, draft)
  if (/^(?:find|pick) /.test(deed)) return referenceReply(visit, draft, deed)
  const { draft: current, failure: early } = await withPassword(visit, draft)
  if (early) return refusedReply(visit, draft, early)
  const { failure, id: saved, done } = await ((Object.hasOwn(deeds, deed) && deeds[deed]) || save)(visit, current)
  if (failure) return refusedReply(visit, current, failure)
  return goDone(visit, `${adminPaths.editEntry}?id=${saved ?? item.id}`, done ?? 'content.done_saved')
}

/** Saves the password of an entry that exists. The other fields of the form then follow that revision. */
async function withPassword(visit: SignedIn, draft: Draft): Promise<{ readonly draft: Draft; readonly failure?: Failure }> {
  const { item } = draft
  if (isNew(item)) return { draft }
  const { revision, failure } = await savePassword(visit, item.id, draft)
  if (failure) return { draft, failure }
  return { draft: revision === draft.revision ? draft : { ...draft, revision, item: { ...item, revision } } }
}

/** @param id `''` for a new entry. If its form has created an entry before, that entry is used, as it was created. */
export async function draftOf(visit: SignedIn, id: string, fields: Fields): Promise<Draft> {
  const made = id === '' ? await findMade(visit, fields.get('key')) : undefined
  const named = made?.id ?? id
  const item = named === '' ? newEntryOf(visit) : await readEntry(visit, named)
  const stored = valuesOf(item, typeOf(visit, item), visit.site.settings.values.time_zone)
  return { item, stored, values: filledIn(fields, stored), fields, revision: made?.revision ?? revisionIn(fields) }
}

export const typeOf = ({ site }: SignedIn, { type }: EditedEntry) => site.types.current.of(type)

const deeds: Readonly<Record<string, (visit: SignedIn, draft: Draft) => Promise<Saved>>> = {
  save,
  stage: (visit, draft) => write(visit, draft, { stage: true }, 'content.done_staged'),
  publish: publishDraft,
  'keep-theirs': keepTheirs,
}

/**
 * Returns the names of the fields that differ from the current entry. A new entry has no values yet, not even the defaults that its
 * form shows.
 */
export function changedIn(visit: SignedIn, { item, stored, values }: Draft): readonly string[] {
  if (!isNew(item)) return changedNames(stored, values)
  return changedNames(valuesOf({ ...item, locale: null, fields: {} }, typeOf(visit, item), 'UTC'), values)
}

/** The fields that differ from the current entry, and the fields that the form settles. */
function inputFrom(visit: SignedIn, draft: Draft): Input {
  const { item, values, fields } = draft
  const settles = fields
    .get('settles')
    .split(' ')
    .filter((name) => values.has(name))
  const names = [...new Set([...changedIn(visit, draft), ...settles])]
  return withNewTerms(visit, fields, inputOf(values, names, typeOf(visit, item)))
}

/** Lets a write make the terms that were typed and are not there, for people who may make terms. */
export const withNewTerms = (visit: SignedIn, fields: Fields, input: Input): Input =>
  'terms' in input && typedTerms(fields).length > 0 && mayRun(visit, terms.create) ? { ...input, terms_create: true } : input

/** Saves a draft directly. The waiting changes of an entry that is not public at present keep waiting. */
async function save(visit: SignedIn, draft: Draft): Promise<Saved> {
  if (isNew(draft.item)) return createEntry(visit, draft, {})
  return write(
    visit,
    draft,
    isLive(draft.item) || draft.item.staged ? { stage: true } : {},
    isLive(draft.item) ? 'content.done_staged' : 'content.done_saved',
  )
}

async function createEntry(visit: SignedIn, draft: Draft, more: Input): Promise<Saved> {
  const { data, failure } = await createFrom(visit, draft, changedIn(visit, draft), { ...more, ...passwordIn(draft.fields) })
  if (failure) return { failure }
  const { id, status } = data.item
  return { id, done: savedAs(status) }
}

/** The message for a status that an entry was saved with. */
const savedAs = (status: string): Done =>
  status === 'published' ? 'content.done_published' : status === 'scheduled' ? 'content.done_scheduled' : 'content.done_saved'

/** Creates the entry of a form once, however often the form is sent. @param names of the values that it gets */
export function createFrom(visit: SignedIn, { item, values, fields }: Draft, names: readonly string[], more: Input = {}) {
  const key = fields.get('key')
  const given = withNewTerms(visit, fields, inputOf(values, names, typeOf(visit, item)))
  const input = { type: item.type, title: '', ...given, ...more }
  return run(visit, content.create, input, key === '' ? {} : { idempotencyKey: key })
}

async function write(visit: SignedIn, draft: Draft, more: Input, done: Done): Promise<Saved> {
  const input = inputFrom(visit, draft)
  if (Object.keys(input).length === 0 && Object.keys(more).every((name) => name === 'stage')) return { done }
  const { data, failure } = await run(
    visit,
    content.update,
    { id: draft.item.id, ...input, ...more },
    { ifRevision: draft.revision },
  )
  return failure ? { failure } : { done: done === 'content.done_published' ? savedAs(data.item.status) : done }
}

/** Stages and publishes in one transaction: the waiting changes, and on a site that stages edits every change. */
async function publishDraft(visit: SignedIn, draft: Draft): Promise<Saved> {
  const { item, revision, values } = draft
  if (isNew(item)) return createEntry(visit, draft, { status: 'published' })
  const waits = item.staged || (isLive(item) && visit.site.settings.values.stage_edits)
  if (!waits) return write(visit, draft, isLive(item) ? { stage: false } : { status: 'published' }, 'content.done_published')
  const { published_at: from, unpublish_at: until, status: _status, ...input } = inputFrom(visit, draft)
  const at = textIn(values, 'published_at')
  const start = !isLive(item) && at !== '' ? { published_at: at } : {}
  // Dates can't be staged. The dates of a public entry are set in a separate call.
  const dates = {
    ...(isLive(item) && from !== undefined && { published_at: from }),
    ...(until !== undefined && { unpublish_at: until }),
  }
  const call = (name: string, more: Input) => ({ action: `SVC_Content.${name}`, arguments: { id: item.id, ...more } })
  const calls = [
    ...(Object.keys(input).length > 0 ? [call('update', { ...input, stage: true })] : []),
    call('publish', start),
    ...(Object.keys(dates).length > 0 ? [call('update', dates)] : []),
  ]
  // The calls after the first one meet the revision that the first one created.
  const { failure } = await run(visit, batch, {
    calls: calls.map((one, at) => (at === 0 ? { ...one, if_revision: revision } : one)),
  })
  return failure ? { failure: ofOneCall(failure) } : { done: 'content.done_published' }
}

/** Returns the failure of a batch as the failure of its call, so that it is shown at its field. */
function ofOneCall(failure: Failure): Failure {
  const { field } = failure.detail
  const name = field?.replace(/^calls\.\d+\.?(?:arguments\.)?/, '')
  const { field: _field, ...detail } = failure.detail
  return new Failure(failure.code, failure.message, name === undefined || name === '' ? detail : { ...detail, field: name })
}

/** Saves the form as a revision, and restores the version that the other person saved. */
async function keepTheirs(visit: SignedIn, draft: Draft): Promise<Saved> {
  const { item } = draft
  const input = inputFrom(visit, draft)
  const { published_at: _from, unpublish_at: _until, status: _status, slug: _slug, parent: _parent, ...texts } = input
  if (Object.keys(texts).length === 0) return { done: 'content.done_kept' }
  const stage = isLive(item) || item.staged ? { stage: true } : {}
  const { failure } = await run(visit, batch, {
    calls: [
      {
        action: 'SVC_Content.update',
        arguments: { id: item.id, ...texts, ...stage },
        if_revision: draft.revision,
      },
      { action: 'SVC_Content.revert', arguments: { id: item.id, revision: item.revision, ...stage } },
    ],
  })
  return failure ? { failure: ofOneCall(failure) } : { done: 'content.done_kept' }
}

/** The form with the submitted values and the reason of the refusal. */
async function refusedReply(visit: SignedIn, { item, stored, values, revision }: Draft, failure: Failure): Promise<Reply> {
  const view: EditorView = { item, values, failure }
  if (failure.code !== 'conflict' || isNew(item)) return editorReply(visit, view)
  // The form is made from the current revision, so that the next attempt names the revision that it overwrites.
  const present = await readEntry(visit, item.id)
  const now = valuesOf(present, typeOf(visit, present), visit.site.settings.values.time_zone)
  const conflict = changedNames(now, values)
  if (!present.staged || conflict.length > 0) {
    const isOwn = revision !== undefined && (await isSavedByOneself(visit, item.id, revision))
    return editorReply(visit, { ...view, item: present, conflict, isOwn })
  }
  // The waiting changes and the public version changed the same fields. The form has the waiting values; the next attempt says so.
  const { data } = await run(visit, content.diff, { id: item.id, from: 'live' })
  return editorReply(visit, { ...view, item: present, values: stored, settles: data?.conflicts ?? [] })
}

/**
 * Returns a link that shows the contents of the form. Nothing is saved.
 * @param around `autosave` renews one link while a person writes
 */
export function previewOf(visit: SignedIn, draft: Draft, seconds: number, around: { readonly autosave?: boolean } = {}) {
  const { status: _status, unpublish_at: _until, terms_create: makes, ...rest } = inputFrom(visit, draft)
  // A preview makes no terms, so it shows the entry without the typed ones.
  const { terms: _terms, ...others } = rest
  const shown = makes === true ? others : rest
  const { id, type } = draft.item
  const named = isNew(draft.item) ? { type, title: visit.t('content.without_title'), ...shown } : { id, ...shown }
  return run(visit, content.preview, { ...named, expires_in: seconds }, {}, around)
}

async function previewReply(visit: SignedIn, draft: Draft): Promise<Reply> {
  const { item, values } = draft
  const { data, failure } = await previewOf(visit, draft, previewSeconds)
  const revision = { ...item, revision: draft.revision }
  return editorReply(visit, failure ? { item: revision, values, failure } : { item: revision, values, previewUrl: data.url })
}

/** The form with the results of a search in a reference field, or with the chosen object. Nothing is saved. */
async function referenceReply(visit: SignedIn, { item, values, revision }: Draft, deed: string): Promise<Reply> {
  const [work, ...rest] = deed.split(' ')
  const [specs, about] = [referenceSpecs(typeOf(visit, item)), rest.join(' ')]
  const shown = { ...item, revision }
  if (work === 'pick') return editorReply(visit, { item: shown, values: await withChoice(visit, specs, values, about) })
  return editorReply(visit, { item: shown, values, found: await findForField(visit, specs, values, about) })
}

type MenuDeed = (visit: SignedIn, id: string, options: { ifRevision?: number }) => Promise<Saved>

/** The buttons outside the form. They send no field of the form. */
const menuDeeds: Readonly<Record<string, MenuDeed>> = {
  unpublish: async (visit, id, options) => ({
    ...failed(await run(visit, content.unpublish, { id }, options)),
    done: 'content.done_unpublished',
  }),
  discard: async (visit, id, options) => ({
    ...failed(await run(visit, content.discard, { id }, options)),
    done: 'content.done_discarded',
  }),
  restore: async (visit, id) => ({ ...failed(await run(visit, content.restore, { ids: [id] })), done: 'content.done_restored' }),
  trash: async (visit, id) => failed(await run(visit, content.delete, { ids: [id] })),
}

const failed = ({ failure }: { readonly failure?: Failure | undefined }): Saved => (failure ? { failure } : {})

async function menuReply(visit: SignedIn, id: string, deed: string, fields: Fields): Promise<Reply> {
  const { failure, done } = await (menuDeeds[deed] as MenuDeed)(visit, id, sinceShown(fields))
  if (failure) return editorReply(visit, { item: await readEntry(visit, id), failure })
  return done === undefined
    ? goDone(visit, adminPaths.content, 'content.done_trashed_many', 1)
    : goDone(visit, `${adminPaths.editEntry}?id=${id}`, done)
}
