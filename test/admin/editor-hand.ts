// The hand of somebody who writes in the editor of an entry.

import type { Page } from 'playwright-core'

/** Types at the end of the text. @param delay milliseconds per key */
export async function typeText(page: Page, text: string, delay = 0): Promise<void> {
  await page.getByRole('textbox', { name: 'Text', exact: true }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text, { delay })
}

/** Waits until the editor says that all is saved. */
export async function waitForSaved(page: Page): Promise<void> {
  await page.locator('[data-saved]', { hasText: /^Saved/ }).waitFor()
}
