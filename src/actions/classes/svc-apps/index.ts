// SVC_Apps: its actions by name, in the order in which they are listed.

import { appsList, appsGet, appsUpdate, appsRevoke } from '../svc-apps.ts'

export const apps = {
  list: appsList,
  get: appsGet,
  update: appsUpdate,
  revoke: appsRevoke,
} as const
