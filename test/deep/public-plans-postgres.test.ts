// How PostgreSQL reads the public pages.

import process from 'node:process'

process.env['TEST_DATABASE'] = 'postgres'
await import('../site/public-plans.test.ts')
