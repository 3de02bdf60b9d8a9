// Property tests look at the same cases at each `npm test`, so that a red run is the change's own doing; `npm run test:deep` takes
// new ones each time, and what it finds becomes a named example.

import fc from 'fast-check'
import { isDeep } from './deep-run.ts'

if (!isDeep) fc.configureGlobal({ seed: 20_261_121 })

export { fc }
