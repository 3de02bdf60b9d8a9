// Functions for a database in a single file, as in backups, and for attaching such a file to an open store.

export {
  copyDatabase,
  type DatabaseFacts,
  emptyTables,
  filesOf,
  findFileDamage,
  readDatabaseFacts,
  readFileSchema,
  type SchemaPart,
} from '../sqlite/database-file.ts'
export { attachStanding, columnsOf, detachStanding, findStandingDamage, hasStandingTable } from '../sqlite/standing.ts'
