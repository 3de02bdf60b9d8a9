// The examples of every action, on PostgreSQL.

import process from 'node:process'

process.env['TEST_DATABASE'] = 'postgres'
process.env['TEST_REGISTRY'] = 'examples'
await import('../system/registry.test.ts')
