// `npm start`: installs what is missing, builds what is stale, and serves, in this one process, so that signals reach the service.

import { makeReady } from './ready.mjs'

await makeReady()
process.setSourceMapsEnabled(true)
await import('../dist/main.js')
