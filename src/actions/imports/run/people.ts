// Comments and members, in slices. The HTML of comments is cleaned as any text is.

import { keepComment, keepMember } from '../../../imports/behind/kept-people.ts'
import { createTurns } from '../../../imports/behind/turns.ts'
import { utcOf } from '../../../imports/behind/times.ts'
import type { ImportComment, ImportMember } from '../../../imports/stream.ts'
import type { ImportJob } from './import-job.ts'
import { takeInComments } from './take-in-comments.ts'
import { lineOf } from './lines.ts'

const atOnce = 200
const maxHtml = 100_000

export async function importPeople(job: ImportJob): Promise<void> {
  const { scanned } = job
  const start = job.startOf('people')
  const total = scanned.report.counted('comments') + scanned.report.counted('members')
  if (start === undefined) return
  let passed = 0
  let batch: (ImportComment | ImportMember)[] = []
  const flush = async () => {
    if (batch.length === 0) return
    const cleaned = await Promise.all(batch.map(async (one) => (one.kind === 'comment' ? clean(job, one) : '')))
    const shown = { done: passed, total }
    await job.slice({ phase: 'people', done: passed, shown, note: 'comments and members' }, async ({ change }) => {
      for (const [at, one] of batch.entries()) {
        if (one.kind === 'comment') keepComment(change.db, commentRow(job, one, cleaned[at] ?? '', change.now))
        else keepMember(change.db, memberRow(job, one))
      }
      job.report.count('comments.kept', batch.filter(({ kind }) => kind === 'comment').length)
      job.report.count('members.kept', batch.filter(({ kind }) => kind === 'member').length)
    })
    batch = []
  }
  const turn = createTurns()
  for await (const part of total === 0 ? [] : job.read()) {
    await turn()
    if (part.kind !== 'comment' && part.kind !== 'member') continue
    passed++
    if (passed <= start) continue
    batch.push(part)
    if (batch.length >= atOnce) await flush()
  }
  await flush()
  await takeInComments(job, { phase: 'people', done: passed, shown: { done: passed, total }, note: 'comments and members' })
}

async function clean({ context, report }: ImportJob, { html, id }: ImportComment): Promise<string> {
  try {
    return (await context.site.renderer.clean(html.slice(0, maxHtml).replaceAll('\0', ''))).html
  } catch {
    report.loss('comment', id, 'its text could not be cleaned, and is left out')
    return ''
  }
}

function commentRow({ items, zone }: ImportJob, comment: ImportComment, html: string, now: number) {
  return {
    source: items.source,
    old_id: comment.id,
    entry_id: items.find('entry', comment.entry)?.object_id ?? null,
    parent_id: comment.parent ?? null,
    name: lineOf(comment.name, 200),
    email: orNull(comment.email, 254),
    website: orNull(comment.website, 1000),
    posted_at: utcOf(comment.postedAt, zone) ?? now,
    html,
    approved: comment.approved ? 1 : 0,
    run_id: items.run,
  }
}

function memberRow({ items, zone }: ImportJob, member: ImportMember) {
  return {
    source: items.source,
    old_id: member.id,
    email: lineOf(member.email, 254),
    name: orNull(member.name, 200),
    joined_at: utcOf(member.joinedAt, zone) ?? null,
    subscribed: member.subscribed ? 1 : 0,
    run_id: items.run,
  }
}

const orNull = (text: string | undefined, max: number): string | null => lineOf(text ?? '', max) || null
