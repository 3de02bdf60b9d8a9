// Checks that the browser that takes pictures of pages starts.

import { errorMessage } from '../../base/error-message.ts'
import { ok, warning } from '../../doctor/finding.ts'
import { findChromium } from '../../eyes/take-picture.ts'
import type { Check } from './health-check.ts'

const bySocket = "sudo systemctl enable --now postern-eyes.socket   (its last lines: journalctl -u 'postern-eyes@*' -n 50)"
const byProgram = 'sudo apt install chromium; under the units of Postern: POSTERN_CHROMIUM=/run/postern-eyes.sock'

export const chromiumCheck: Check = {
  id: 'chromium',
  async run({ config: { POSTERN_CHROMIUM: place } }) {
    if (place === undefined) return ok('No browser is set that takes pictures of pages.')
    try {
      return ok(`${await findChromium(place)} takes pictures of pages.`)
    } catch (error) {
      return warning(errorMessage(error), place.endsWith('.sock') ? bySocket : byProgram)
    }
  },
}
