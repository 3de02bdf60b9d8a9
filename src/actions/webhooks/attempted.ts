// A try that a person or an assistant asked for: sent at once, and stored like the others.

import { Type } from 'typebox'
import type { Db } from '../../store/core/database.ts'
import type { WebhookDeliveryRow, WebhookRow } from '../../store/core/schema.ts'
import { attempt, type DeliveryAttempt, isTaken, outcomeOf } from '../../webhooks/attempt.ts'
import type { Context } from '../call/action.ts'
import { itemAnswer, itemOutput, nullable } from '../call/write-answer.ts'

/** A delivery, and the outcome of its try. */
export interface TriedDelivery {
  readonly delivery: WebhookDeliveryRow
  readonly done: DeliveryAttempt
}

export const triedOutput = itemOutput(
  nullable(
    Type.Object({
      delivery: Type.String(),
      taken: Type.Boolean(),
      status: nullable(Type.Integer()),
      answer: nullable(Type.String(), 'The first 4 KB of the answer.'),
      outcome: Type.String({ description: 'What happened, in one sentence.' }),
    }),
    'Null in a dry run.',
  ),
)

export async function tryNow(
  { site, signal, now }: Pick<Context, 'site' | 'signal' | 'now'>,
  endpoint: WebhookRow,
  delivery: WebhookDeliveryRow,
): Promise<TriedDelivery> {
  return { delivery, done: await attempt(site, endpoint, delivery, now, signal) }
}

/** Stores the try, and answers with it. No other try follows a failure. */
export async function storeTried(db: Db, tried: TriedDelivery | null, now: number) {
  if (!tried) return itemAnswer(null, [])
  const { status, answer, error } = tried.done
  const row = { ...tried.delivery, status, answer, error, tried_at: now, next_at: null, tries: tried.delivery.tries + 1 }
  const { id, ...values } = { ...row, state: isTaken(tried.done) ? 'sent' : 'failed' }
  await db
    .insertInto('webhook_delivery')
    .values({ id, ...values })
    .onConflict((on) => on.column('id').doUpdateSet(values))
    .execute()
  return itemAnswer({ delivery: id, taken: isTaken(tried.done), status, answer, outcome: outcomeOf(tried.done) }, [])
}
