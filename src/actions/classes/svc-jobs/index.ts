// SVC_Jobs: its actions by name, in the order in which they are listed.

import { jobsList, jobsGet, jobsCancel, jobsRetry } from '../svc-jobs.ts'

export const jobs = {
  list: jobsList,
  get: jobsGet,
  cancel: jobsCancel,
  retry: jobsRetry,
} as const
