import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import type { AnswerStore, Claim } from '../../lib/stores/answers/answers.ts'

const LIMITS = { leaseMs: 60_000, ttlMs: 60_000, maxKeys: 1_000, maxBytes: 1_000_000 }

function claimOf(operationId: string, fingerprint = 'one'): Claim {
  return { fingerprint, holder: randomUUID(), operationId }
}

/** The contract of every store for responses to requests with an idempotency key. */
export async function testAnswers(t: Test, answers: AnswerStore): Promise<void> {
  await t.test('a key is claimed once, and a repeated request gets the saved response', async t => {
    const first = claimOf('op-1')
    t.same(await answers.claim('a', first, LIMITS), { state: 'claimed', operationId: 'op-1' })
    t.same(await answers.claim('a', first, LIMITS), { state: 'claimed', operationId: 'op-1' }, 'claiming twice is one claim')
    t.same(await answers.claim('a', claimOf('op-2'), LIMITS), { state: 'busy' })
    t.same(await answers.claim('a', claimOf('op-2', 'other'), LIMITS), { state: 'other' })
    await answers.save('a', 'somebody else', 'not mine')
    t.same(await answers.claim('a', claimOf('op-2'), LIMITS), { state: 'busy' })
    await answers.save('a', first.holder, '{"status":201,"text":"日報"}')
    await answers.save('a', first.holder, 'a second one')
    t.same(await answers.claim('a', claimOf('op-3'), LIMITS), { state: 'answered', answer: '{"status":201,"text":"日報"}' })
    t.same(await answers.claim('a', claimOf('op-3', 'other'), LIMITS), { state: 'other' })
    await answers.abandon('a', first.holder)
    t.match(await answers.claim('a', claimOf('op-4'), LIMITS), { state: 'answered' }, 'a saved answer stays')
  })

  await t.test('of concurrent claims exactly one gets the key', async t => {
    const outcomes = await Promise.all(Array.from({ length: 12 }, (_, index) => answers.claim('race', claimOf(`op-${index}`), LIMITS)))
    t.equal(outcomes.filter(({ state }) => state === 'claimed').length, 1)
    t.equal(outcomes.filter(({ state }) => state === 'busy').length, 11)
  })

  await t.test('an abandoned or expired claim can be taken over, under the first operation id', async t => {
    const first = claimOf('op-1')
    await answers.claim('given back', first, LIMITS)
    await answers.abandon('given back', 'somebody else')
    t.same(await answers.claim('given back', claimOf('op-2'), LIMITS), { state: 'busy' })
    await answers.abandon('given back', first.holder)
    t.same(await answers.claim('given back', claimOf('op-2', 'other'), LIMITS), { state: 'other' }, 'another request cannot')
    const second = claimOf('op-2')
    t.same(await answers.claim('given back', second, LIMITS), { state: 'claimed', operationId: 'op-1' })
    await answers.save('given back', first.holder, 'too late')
    t.same(await answers.claim('given back', claimOf('op-3'), LIMITS), { state: 'busy' })

    await answers.claim('died', claimOf('op-1'), { ...LIMITS, leaseMs: 1 })
    await sleep(20)
    t.same(await answers.claim('died', claimOf('op-2'), LIMITS), { state: 'claimed', operationId: 'op-1' })
  })

  await t.test('a key is free again after its lifetime, and sweep() removes it', async t => {
    const first = claimOf('op-1')
    await answers.claim('old', first, { ...LIMITS, ttlMs: 1_000 })
    await answers.save('old', first.holder, 'an answer')
    t.match(await answers.claim('old', claimOf('op-2'), LIMITS), { state: 'answered' })
    await sleep(1_100)
    t.equal(await answers.sweep(), 1)
    t.equal(await answers.sweep(), 0)
    t.same(await answers.claim('old', claimOf('op-3', 'other'), LIMITS), { state: 'claimed', operationId: 'op-3' })
  })

  await t.test('keys and bytes are limited, and expired keys make room', async t => {
    const brief = { ...LIMITS, ttlMs: 1_500 }
    const holder = claimOf('op')
    await answers.claim('big', holder, brief)
    await answers.save('big', holder.holder, 'x'.repeat(500_000))
    t.same(await answers.claim('one more', claimOf('op'), { ...LIMITS, maxBytes: 500_000 }), { state: 'full' })
    t.same(await answers.claim('one more', claimOf('op'), { ...LIMITS, maxKeys: 1 }), { state: 'full' })
    t.match(
      await answers.claim('big', claimOf('op'), { ...LIMITS, maxKeys: 1 }), { state: 'answered' }, 'a known key still works'
    )
    await sleep(1_600)
    t.match(await answers.claim('one more', claimOf('op'), { ...LIMITS, maxBytes: 500_000 }), { state: 'claimed' })
  })
}
