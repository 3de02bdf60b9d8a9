import { listAction } from '../shared/list-action.ts'
import { runItem, runItemOf, undoneRuns } from './run-item.ts'

export const list = listAction('SVC_Import.list', {
  title: 'List the imports',
  summary: 'Lists the runs of imports, newest first.',
  tier: 'admin',
  examples: [{ title: 'The latest', input: { limit: 1 } }],
  list: {
    table: 'import_run',
    key: 'id',
    fields: {
      id: { column: 'id', kind: 'text', indexed: true },
      file: { column: 'file', kind: 'text' },
      source: { column: 'source', kind: 'text' },
      format: { column: 'format', kind: 'text' },
      state: { column: 'state', kind: 'text' },
      created_at: { column: 'created_at', kind: 'time', sort: true, indexed: true },
    },
    sort: '-created_at',
    search: ['file', 'source'],
  },
  item: runItem,
  async items({ db }, rows) {
    const undone = await undoneRuns(db, rows)
    return (row) => runItemOf(row, undone)
  },
})
