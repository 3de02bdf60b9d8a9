// The owner's yes, as a person gives it: from an authorize address through sign-in and consent to where the browser is sent.

import assert from 'node:assert/strict'
import { openVisitor, ownersPassword, type Visited } from './visitor.ts'

/** Signs in from there, says yes, and returns where the answer leads. */
export async function letIn(site: Visited, address: string): Promise<string> {
  const owner = openVisitor(site)
  const form = (await owner.open(address)).form('/admin/sign-in')
  const question = await owner.follow(await owner.submit(form, { email: 'owner@example.org', password: ownersPassword }))
  const answer = await owner.submit(question.form('/oauth/consent'), { answer: 'allow' })
  assert.equal(answer.status, 302, answer.text)
  return answer.location
}
