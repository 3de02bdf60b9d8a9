// A database as one file: the form in which backups keep it, whichever database serves the site. What can be done with such a file, and
// with one beside an open store.

export {
  copyDatabase,
  type DatabaseFacts,
  emptyTables,
  filesOf,
  findFileDamage,
  readDatabaseFacts,
  readFileSchema,
  type SchemaPart,
} from './sqlite/database-file.ts'
export { attachStanding, columnsOf, detachStanding, findStandingDamage, hasStandingTable } from './sqlite/standing.ts'
