// The subjects of a record: the kind, title and path of each changed object at that time. The record stores them, so that it also
// lists objects that were later renamed or put into the trash. Destroyed objects are removed from it (`forget.ts`).

import { cutText } from '../base/cut-text.ts'
import type { Db } from '../store/core/database.ts'
import { type Kind, listedKind } from '../store/change/kinds.ts'
import type { ActivityRow } from '../store/core/schema.ts'

export interface ListedObject {
  readonly kind: string
  readonly id: string
  /** Null if the object was destroyed. */
  readonly title: string | null
  readonly path: string | null
}

/** The number of objects that a record shows. `SVC_Activity.get` has the others in its diff. */
export const maxShown = 5
/** The length of the searched text. */
const maxTextChars = 2000

/** The objects that a record shows, with their titles cut. */
export const shownObjects = (objects: readonly ListedObject[]): readonly ListedObject[] =>
  objects.slice(0, maxShown).map((object) => ({ ...object, title: object.title && cutText(object.title, 200) }))

/** The searched text of a record: titles and paths, one line each. */
export const textOfObjects = (objects: readonly ListedObject[]): string =>
  cutText(objects.flatMap(({ title, path }) => [title, path].filter((text) => text !== null)).join('\n'), maxTextChars)

/** The objects of these records, by the record's id. Records of earlier releases don't store any; those get present titles. */
export async function objectsOf(
  db: Db,
  rows: readonly Pick<ActivityRow, 'id' | 'objects'>[],
): Promise<ReadonlyMap<string, readonly ListedObject[]>> {
  const stored = rows.flatMap(({ id, objects }) =>
    objects === null ? [] : [[id, JSON.parse(objects) as readonly ListedObject[]] as const],
  )
  const found = new Map<string, readonly ListedObject[]>(stored)
  for (const { id } of rows) if (!found.has(id)) found.set(id, await lookUpObjects(db, id))
  return found
}

async function lookUpObjects(db: Db, activityId: string): Promise<readonly ListedObject[]> {
  const rows = await db
    .selectFrom('activity_object')
    .leftJoin('entry', 'entry.id', 'activity_object.object_id')
    .select(['activity_object.kind', 'activity_object.object_id as id', 'entry.title', 'entry.path'])
    .where('activity_object.activity_id', '=', activityId)
    .where('activity_object.kind', '!=', 'former_path')
    .limit(maxShown)
    .execute()
  return shownObjects(rows.map(({ kind, id, title, path }) => ({ kind, id, title: title ?? id, path })))
}

/** Removes a destroyed object from a record's objects and text. */
export function withoutObject(
  { objects, about }: Pick<ActivityRow, 'objects' | 'about'>,
  kind: Kind,
  id: string,
): Pick<ActivityRow, 'objects' | 'about'> {
  if (objects === null) return { objects, about }
  const shown = JSON.parse(objects) as readonly ListedObject[]
  const left = shown.map((object) =>
    object.kind === listedKind(kind) && object.id === id ? { ...object, title: null, path: null } : object,
  )
  // The old text also has objects that are not shown. A search no longer finds this record by those.
  return { objects: JSON.stringify(left), about: textOfObjects(left) }
}
