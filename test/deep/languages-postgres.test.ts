// A site in several languages, on PostgreSQL.

import process from 'node:process'

process.env['TEST_DATABASE'] = 'postgres'
await import('../site/languages.test.ts')
