// SVC_Settings.update: changes settings of the site. No action changes settings from the environment.

import { Type } from 'typebox'
import { settings as environment } from '../../base/config.ts'
import { getEntry, isPublic } from '../../content/entries/entry.ts'
import { readLanguages } from '../../content/languages/languages.ts'
import { moveLanguages } from '../../content/languages/move-languages.ts'
import { Failure, invalid } from '../../base/failure.ts'
import { sameJson } from '../../base/json.ts'
import { closed } from '../../base/schema.ts'
import { definitionOf, type SettingKey, settingKeys, typeListSettings } from '../../settings/definitions.ts'
import { action, type WriteContext } from '../call/action.ts'
import { combineFields } from '../call/combine.ts'
import { nearestIn } from '../../base/nearest.ts'
import { writeProperties } from '../call/write-answer.ts'
import { writingOf } from '../content/writing.ts'
import { touchesOfSettings } from '../../identity/check-limits.ts'
import { idOrPath } from '../shared/own-address.ts'
import { pictureFor } from './picture-setting.ts'

export const update = action('SVC_Settings.update', {
  title: 'Change [the setting {title}|settings]',
  summary: 'Changes settings of the site. Null restores a default.',
  did: 'changed [the setting {title}|settings]',
  tier: 'admin',
  effect: 'write',
  failures: ['not_found', 'exists'],
  touches: { least: 'site', by: ({ set }) => touchesOfSettings(Object.keys(set)) },
  combine: combineFields,
  input: closed({
    set: Type.Record(Type.String(), Type.Unknown(), {
      description: 'New values by key, as in `list`.',
      minProperties: 1,
    }),
  }),
  output: Type.Object({
    item: Type.Record(Type.String(), Type.Unknown(), { description: 'The new values of the named settings.' }),
    changed: Type.Array(Type.String(), { description: 'Keys whose value changed.' }),
    ...writeProperties,
  }),
  examples: [
    { title: 'Name the site', input: { set: { site_title: 'The Corner Shop', site_tagline: 'Open till late' } } },
    { title: 'Show a page as the home page', input: { set: { home: '/about' } } },
    { title: 'Show the latest posts there again', input: { set: { home: null } } },
    { title: 'Write in German and French, too', input: { set: { languages: ['de', 'fr'] } } },
  ],
  async run(context, { set }) {
    const changed: string[] = []
    const item: Record<string, unknown> = {}
    const warnings: { code: string; message: string }[] = []
    const movesEntries = 'language' in set || 'languages' in set
    const before = movesEntries ? await readLanguages(context.db) : undefined
    for (const [name, given] of Object.entries(set)) {
      const key = getKey(context, name)
      const value = given === null ? null : await readValue(context, key, given, warnings)
      if (await save(context, key, value)) changed.push(key)
      item[key] = value ?? definitionOf(key).fallback
    }
    if (before) await moveLanguages(writingOf(context), before, await readLanguages(context.db))
    return { item, changed, warnings, activity_id: null }
  },
})

/** @throws Failure `refused` for a setting of the environment, `invalid` for an unknown one */
function getKey({ site }: WriteContext, name: string): SettingKey {
  const keys = settingKeys(site.release)
  const key = keys.find((one) => one === name)
  if (key !== undefined) return key
  const variable = [name, `POSTERN_${name}`].map((one) => one.toUpperCase()).find((one) => Object.hasOwn(environment, one))
  const field = `set.${name}`.slice(0, 200)
  if (variable !== undefined) {
    throw new Failure(
      'refused',
      `${variable} is set in the environment of the service. Change it there and restart the service.`,
      {
        field,
        rule: 'no action changes the environment of the service',
        hint: `The operator of the server sets ${variable}.`,
      },
    )
  }
  throw new Failure('invalid', `There is no setting ${JSON.stringify(name.slice(0, 80).toWellFormed())}.`, {
    field,
    expected: `one of ${keys.join(', ')}`,
    ...nearestIn(name, keys),
  })
}

/** @throws Failure `invalid`, or `not_found` for a missing entry or file */
async function readValue(
  context: WriteContext,
  key: SettingKey,
  given: unknown,
  warnings: { code: string; message: string }[],
): Promise<unknown> {
  const { parse, kind } = definitionOf(key)
  const parsed = parse(given)
  if ('expected' in parsed) throw invalid(`set.${key}`, `"set.${key}" must be ${parsed.expected}.`, parsed.expected)
  if (kind === 'picture' && typeof parsed.value === 'string') return pictureFor(context, key, idOrPath(context, parsed.value))
  if (typeListSettings.includes(key)) checkTypes(context, key, parsed.value as readonly string[])
  if (kind !== 'entry' || typeof parsed.value !== 'string') return parsed.value
  // The entry is stored by id, because its path can change.
  const entry = await getEntry(context.db, idOrPath(context, parsed.value))
  if (entry.status === 'trash')
    throw new Failure('refused', 'This entry is in the trash.', {
      field: `set.${key}`,
      rule: 'an entry in the trash is not public',
    })
  if (!isPublic(entry, context.now))
    warnings.push({
      code: 'not_public',
      message: `${entry.path} is not public (${entry.status}): visitors see the latest posts until it is.`,
    })
  return entry.id
}

/** @throws Failure `invalid` for a type that the site does not have */
function checkTypes({ site }: WriteContext, key: SettingKey, types: readonly string[]): void {
  const { slugs } = site.types.current
  const unknown = types.find((type) => !slugs.includes(type))
  if (unknown === undefined) return
  const expected = `a list of types of the site: ${slugs.join(', ')}`
  throw invalid(`set.${key}`, `"set.${key}" must be ${expected}.`, expected)
}

/** Writes a value; null deletes the row, which restores the default. @returns true if anything changed */
async function save({ change, db }: WriteContext, key: SettingKey, value: unknown): Promise<boolean> {
  const row = await db.selectFrom('setting').selectAll().where('key', '=', key).executeTakeFirst()
  if (value === null) {
    if (row) await change.remove('setting', row)
    return row !== undefined
  }
  if (!row && sameJson(value, definitionOf(key).fallback)) return false
  const text = JSON.stringify(value)
  if (row) return (await change.update('setting', row, { value: text })).changed.length > 0
  await change.insert('setting', { key, value: text })
  return true
}
