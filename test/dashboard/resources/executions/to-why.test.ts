import t from 'tap'
import { toWhy } from '../../../../lib/dashboard/resources/executions/to-why.ts'
import type { WhyFact } from '../../../../lib/queue-app/monitoring/why/why.ts'

const AT = Date.UTC(2026, 10, 20, 9)
const TIME = '2026-11-20 09:00:00 UTC'

function sentenceOf(...facts: WhyFact[]): string {
  return toWhy({ taskName: 'a', facts, isKnown: true }, true).sentence
}

const behind = (value: number, relation: 'exact' | 'at_least', perMinute: number | null, estimateMs: number | null): WhyFact =>
  ({ kind: 'behind', ahead: { value, relation }, perMinute, estimateMs })

t.test('each fact in plain English', async t => {
  const cases: ReadonlyArray<readonly [WhyFact, string]> = [
    [{ kind: 'finished', status: 'cancelled', finishedAt: AT }, `It is over: it was cancelled at ${TIME}.`],
    [{ kind: 'running', since: AT, workerId: 'h:1:a', lockedUntil: AT }, `It is running since ${TIME} in h:1:a.`],
    [{ kind: 'running', since: null, workerId: null, lockedUntil: null }, 'It is running.'],
    [{ kind: 'cancelling', since: AT, by: 'ada' }, `Its handler was asked to stop at ${TIME} by ada and has not ended.`],
    [{ kind: 'worker_lost', workerId: 'h:1:a', lastSeenAt: null, lockedUntil: AT },
      `Its process h:1:a stopped responding, and no other process can take it before ${TIME}, when its lock expires.`],
    [{ kind: 'stalled', workerId: null },
      'The process that ran it no longer holds its lock, so the next process that looks for lost executions takes it back.'],
    [{ kind: 'broker_unavailable', reason: 'refused' },
      'The broker refuses requests, so nothing can start, and its state is unknown.'],
    [{ kind: 'backend_unavailable', reason: 'unreachable' },
      'The result backend does not answer, so whether it has finished is unknown.'],
    [{ kind: 'waiting_children', children: 1 }, 'It waits for 1 execution that it depends on.'],
    [{ kind: 'waiting_children', children: null }, 'It waits for executions that it depends on.'],
    [{ kind: 'delayed', until: AT, scheduleId: null }, `It is not due until ${TIME}.`],
    [{ kind: 'delayed', until: AT, scheduleId: 's' }, `Its schedule plans it for ${TIME}.`],
    [{ kind: 'retrying', until: AT, attempt: 1, maxAttempts: 3 }, `Attempt 1 of 3 failed, and the next one is not due until ${TIME}.`],
    [{ kind: 'paused', pause: { since: AT, by: 'ada', reason: 'secret', until: AT } },
      `Its queue is paused by ada since ${TIME} until ${TIME}.`],
    [{ kind: 'paused', pause: { since: null, by: null, reason: null, until: null } }, 'Its queue is paused.'],
    [{ kind: 'no_worker' }, 'No process runs its task now.'],
    [{ kind: 'workers_unavailable', stopping: 1, silent: 0, refused: 2 },
      'No process takes its task now: 1 is stopping, the broker refuses 2.'],
    [{ kind: 'concurrency_limit', limit: 2, running: 3 }, '3 are running, and its queue allows 2 at a time across all processes.'],
    [{ kind: 'concurrency_limit', limit: 1, running: 1 }, '1 is running, and its queue allows 1 at a time across all processes.'],
    [{ kind: 'rate_limited', until: AT, max: 5, durationMs: 60_000 }, `The rate limit of 5 per 1 min is reached until ${TIME}.`],
    [{ kind: 'rate_limited', until: AT, max: 5, durationMs: null }, `The rate limit of 5 is reached until ${TIME}.`],
    [behind(1, 'exact', null, null), '1 execution starts before it.'],
    [behind(12, 'exact', 30, 24_000), '12 executions start before it, at 30 a minute: about 24 s.'],
    [behind(10_000, 'at_least', 0.5, 1_200_000_000), 'At least 10000 executions start before it, at 30 an hour: at least 14 days.'],
    [{ kind: 'workers_busy', workers: 1, concurrency: 4 }, 'The process with its task is running as many as it can (4).'],
    [{ kind: 'workers_busy', workers: 3, concurrency: 12 }, 'All 3 processes with its task are running as many as they can (12 in total).'],
    [{ kind: 'unknown', workers: 2, free: 3 }, 'Nothing seems to be blocking it: 2 processes could take 3 more.'],
    [{ kind: 'unknown', workers: null, free: null }, 'Nothing seems to be blocking it.']
  ]
  for (const [fact, sentence] of cases) t.equal(sentenceOf(fact), sentence)
})

t.test('several facts are one sentence', async t => {
  t.equal(sentenceOf({ kind: 'no_worker' }, behind(2, 'exact', null, null)),
    'No process runs its task now; 2 executions start before it.')
})

t.test('text from other code stays short and on one line', async t => {
  const sentence = sentenceOf({ kind: 'cancelling', since: AT, by: `a\nb\u202e\0${'x'.repeat(500)}` })
  t.notMatch(sentence, /[\p{C}]/u)
  t.ok(sentence.length < 250)
})

t.test('only users who may see queues learn who paused a queue and why', async t => {
  const pause = { since: AT, by: 'ada', reason: 'audit', until: null }
  const why = { taskName: 'a', facts: [{ kind: 'paused' as const, pause }], isKnown: true }
  t.match(toWhy(why, true).facts, [{ kind: 'paused', pause: { since: '2026-11-20T09:00:00.000Z', by: 'ada', reason: 'audit' } }])
  t.notMatch(JSON.stringify(toWhy(why, false)), /ada|audit/)
  t.match(toWhy(why, false), { sentence: `Its queue is paused since ${TIME}.`, facts: [{ pause: { by: null, reason: null } }] })
})
