// SVC_Skills: its actions by name, in the order in which they are listed.

import { skillsList, skillsGet, skillsPut, skillsDelete } from '../svc-skills.ts'

export const skills = {
  list: skillsList,
  get: skillsGet,
  put: skillsPut,
  delete: skillsDelete,
} as const
