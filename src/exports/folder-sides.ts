// The two sides of a comparison, the folder and the site, and the calls that make them equal.

import { parse } from 'yaml'
import { csvLines } from '../base/csv.ts'
import { Failure } from '../base/failure.ts'
import { isObject, sameJson } from '../base/json.ts'
import type { ComparedFiles } from './folder-files.ts'

/** A call of the plan. */
export interface PlannedCall {
  readonly call: string
  readonly input: Readonly<Record<string, unknown>>
  /** The file of the folder that asks for it. */
  readonly path: string
  /** True if the file itself goes with the call; for a new theme, all files of its folder. */
  readonly sendsFile?: true
}

/** A file that the plan passes over, and the reason. */
export interface PassedOver {
  readonly path: string
  readonly why: string
}

export interface Sides {
  readonly folder: ComparedFiles
  readonly site: ComparedFiles
  /** True to delete what the folder does not have. */
  readonly deleteMissing: boolean
}

export const sameText = ({ folder, site }: Sides, path: string): boolean => folder.get(path)?.digest === site.get(path)?.digest

export type Item = Readonly<Record<string, unknown>>

/** Reads a table on one side; an empty list where there is none. Its first line names the columns. */
export const readCsvRows = (files: ComparedFiles, path: string): readonly (readonly string[])[] =>
  Array.from(csvLines(files.get(path)?.text ?? ''), ({ cells }) => cells).slice(1)

/** Reads a file of YAML on one side; an empty list where there is none. */
export function readItems(files: ComparedFiles, path: string): readonly Item[] {
  const value = readYaml(files, path)
  if (value === undefined) return []
  if (Array.isArray(value) && value.every(isObject)) return value
  throw new Failure('unprocessable', `${path} must be a list.`, { field: path })
}

export function readYaml(files: ComparedFiles, path: string): unknown {
  const text = files.get(path)?.text
  if (text === undefined) return undefined
  try {
    return parse(text, { schema: 'core', maxAliasCount: 0 }) as unknown
  } catch (error) {
    throw new Failure('unprocessable', `${path} is no YAML: ${(error as Error).message.split('\n')[0]}`, { field: path })
  }
}

/** Pairs the items of a file with those of the site, and leaves out what is equal. */
export function changedItems(sides: Sides, path: string, keyOf: (item: Item) => string): readonly [Item, Item | undefined][] {
  if (!sides.folder.has(path) || sameText(sides, path)) return []
  const present = new Map(readItems(sides.site, path).map((item) => [keyOf(item), item]))
  return readItems(sides.folder, path)
    .map((item) => [item, present.get(keyOf(item))] as [Item, Item | undefined])
    .filter(([item, before]) => !sameJson(item, before))
}

export const slugOf = ({ slug }: Item): string => String(slug)

/** The members that differ, with null for those that the folder no longer has. */
export function differing(item: Item, before: Item, kept: readonly string[] = []): Item {
  const names = [...new Set([...Object.keys(item), ...Object.keys(before)])].filter((name) => !kept.includes(name))
  return Object.fromEntries(names.filter((name) => !sameJson(item[name], before[name])).map((name) => [name, item[name] ?? null]))
}

/** The rows of a table that the site does not have. */
export function changedRows(sides: Sides, path: string): readonly (readonly string[])[] {
  if (!sides.folder.has(path) || sameText(sides, path)) return []
  const present = new Set(readCsvRows(sides.site, path).map((cells) => JSON.stringify(cells)))
  return readCsvRows(sides.folder, path).filter((cells) => !present.has(JSON.stringify(cells)))
}

/** Splits rows into calls. @param maxRows the most rows of a call */
export const callsOf = (
  call: string,
  member: string,
  rows: readonly unknown[],
  path: string,
  maxRows = 1000,
): readonly PlannedCall[] =>
  Array.from({ length: Math.ceil(rows.length / maxRows) }, (_, at) => ({
    call,
    input: { [member]: rows.slice(at * maxRows, (at + 1) * maxRows) },
    path,
  }))
