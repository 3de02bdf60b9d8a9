// Every kept page after every kind of change, in the process that makes the change and in one that hears of it by PostgreSQL.

import process from 'node:process'

process.env['TEST_DATABASE'] = 'postgres'
process.env['TEST_PAGES'] = 'all'
await import('../site/kept-pages.test.ts')
