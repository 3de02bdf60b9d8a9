// The common parts of the revisions of entries, themes and theme files: the list, and the state at a revision.

import { Type } from 'typebox'
import { notFound } from '../../base/failure.ts'
import type { Db } from '../../store/core/database.ts'
import { findSnapshot, objectColumns, type RevisionTable } from '../../store/change/history.ts'
import type { Schema } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'
import { nullable } from '../call/write-answer.ts'
import type { RevisionMaker } from './revision-makers.ts'
import { type ListInput, listProperties, listRows, type ListSpec, onlyValues } from '../lists/list.ts'

type Column<T extends RevisionTable> = keyof Schema[T] & string

const specOf = <T extends RevisionTable>(table: T): ListSpec<T> => ({
  table,
  key: 'revision',
  fields: {
    revision: { column: 'revision', kind: 'number', sort: true },
    at: { column: 'at', kind: 'time', sort: true },
    by: { column: 'by_name', kind: 'text' },
    via: { column: 'door', kind: 'text' },
    action: { column: 'action', kind: 'text' },
  },
  sort: '-revision',
  search: ['by_name', 'action'] as readonly Column<T>[],
})

/** The input of a list of revisions, without the object. */
export const revisionListProperties = listProperties(specOf('entry_revision'))

/** The output of each revision. */
export const revisionProperties = {
  revision: Type.Integer(),
  by: Type.String({ description: 'Who made the change.' }),
  token_name: nullable(Type.String(), 'The token or app that made it.'),
  accepted_by: nullable(Type.String(), 'Who accepted it, where it was proposed first.'),
  via: Type.String({ description: 'The door through which the change came: mcp, api, admin, cli or system.' }),
  at: Type.String(),
  action: Type.String(),
}

/** Reads a page of the revisions of an object. The index of the table's key and an index by time serve it. */
export const listRevisions = <T extends RevisionTable, C extends Column<T>>(
  context: Context,
  table: T,
  columns: readonly C[],
  id: string,
  input: object,
) =>
  listRows<T, C>(context, specOf(table), { ...input, id } as ListInput, {
    columns,
    only: [onlyValues(table, { column: objectColumns[table], kind: 'text', indexed: true, ordered: ['revision', 'at'] }, [id])],
  })

/** The columns that `toRevision` needs. */
export const revisionColumns = ['revision', 'by_name', 'door', 'action', 'at'] as const

/** Returns a row as its item. */
export const toRevision = (
  row: { revision: number; by_name: string; door: string; action: string; at: number },
  maker: RevisionMaker,
) => ({
  revision: row.revision,
  ...maker,
  via: row.door,
  at: new Date(row.at).toISOString(),
  action: row.action,
})

/** The schema of a revision's number in an input. */
export const revisionNumber = (description?: string) =>
  Type.Integer({ ...(description === undefined ? {} : { description }), minimum: 1, maximum: 2 ** 31 - 1 })

/** Returns the object at a revision, as JSON. @throws Failure `not_found` */
export async function getSnapshot(db: Db, table: RevisionTable, id: string, revision: number): Promise<string> {
  const snapshot = await findSnapshot(db, table, id, revision)
  if (snapshot !== undefined) return snapshot
  const lister = table === 'entry_revision' ? 'SVC_Content' : 'SVC_Themes'
  throw notFound('revision', String(revision), `${lister}.revisions lists them.`)
}
