// SVC_Types and the fields of entries, on PostgreSQL.

import process from 'node:process'

process.env['TEST_DATABASE'] = 'postgres'
await import('../actions/svc-types.test.ts')
