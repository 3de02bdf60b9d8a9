// `npm start`: installs what is missing, builds what is stale, and serves, in this one process, so that signals reach the service.

import { buildStale, holdNode, install } from './ready.mjs'

holdNode()
install(false)
await buildStale()
process.setSourceMapsEnabled(true)
await import('../dist/main.js')
