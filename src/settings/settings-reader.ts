// The site's settings for the program: a frozen value, which follows changes in any process within a second.

import type { Release } from '../base/release.ts'
import type { Db, Store } from '../store/core/database.ts'
import { definitionOf, definitions, type SettingKey, settingKeys, type SettingValues } from './definitions.ts'

export interface SettingsReader {
  /** All values, including defaults. */
  readonly values: SettingValues
  /** Reads the settings again. It is called when the area `settings` changed. */
  reload(): Promise<void>
}

/** Reads from the database the settings that the release has. */
export async function openSettings(store: Store, release: Release): Promise<SettingsReader> {
  let values = defaults
  let begun = 0
  let shown = 0
  const reload = async () => {
    const turn = ++begun
    const read = await settingsIn(store.read, release)
    // An earlier read that took longer is out of date. A later read that has not ended is no reason to keep the old values.
    if (turn < shown) return
    shown = turn
    values = read
  }
  await reload()
  return {
    get values() {
      return values
    },
    reload,
  }
}

/** Reads the settings inside a transaction. */
export async function settingsIn(db: Db, release: Release): Promise<SettingValues> {
  return valuesOf(await db.selectFrom('setting').select(['key', 'value']).execute(), release)
}

const defaults = Object.freeze(
  Object.fromEntries(Object.entries(definitions).map(([key, { fallback }]) => [key, fallback])),
) as unknown as SettingValues

function valuesOf(rows: readonly { key: string; value: string }[], release: Release): SettingValues {
  const known = new Set<string>(settingKeys(release))
  const stored = rows.flatMap(({ key, value }) => {
    const parsed = known.has(key) ? definitionOf(key as SettingKey).parse(JSON.parse(value)) : undefined
    // The default replaces a value that is no longer valid, such as a zone that this machine doesn't know.
    return parsed && 'value' in parsed ? [[key, parsed.value]] : []
  })
  return Object.freeze({ ...defaults, ...Object.fromEntries(stored) })
}
