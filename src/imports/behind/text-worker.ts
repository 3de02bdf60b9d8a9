// The thread that converts the texts of imports. It has no state between texts, and `text-converter.ts` may end it at any moment.

import { answerJobs } from '../../base/worker-queue.ts'
import { convertText, referencesIn } from '../texts/convert-text.ts'
import type { TextJob } from './text-converter.ts'

answerJobs((job: TextJob) => (job.kind === 'references' ? referencesIn(job.text) : convertText(job.text, job.answers)))
