import t from 'tap'
import { createRequestAnswers } from '../../../lib/queue-app/enqueueing/request-answers.ts'
import type { AnswerStore, ClaimOutcome } from '../../../lib/stores/answers/answers.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import { onEveryStore, testNamespace } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

t.test('a claim whose response was lost is released, and the repeat runs under the same operation id', async t => {
  await onEveryStore(t, async (t, url) => {
    const store = createStore(url, { namespace: testNamespace(), role: 'broker', onError: error => t.fail(error.message) })
    await store.start()
    t.teardown(() => store.stop())
    const taken: ClaimOutcome[] = []
    let failing: 'claim' | 'claim and abandon' | null = 'claim'
    const unanswered: AnswerStore = {
      ...store.answers,
      async claim(key, claim, limits) {
        const outcome = await store.answers.claim(key, claim, { ...limits, leaseMs: 3_600_000 })
        if (failing === null) return outcome
        taken.push(outcome)
        throw new Error('Command timed out')
      },
      async abandon(...parameters) {
        if (failing !== 'claim and abandon') return store.answers.abandon(...parameters)
        failing = null
        throw new Error('Command timed out')
      }
    }
    const answers = createRequestAnswers({ answers: unanswered, onError: error => t.fail(error.message) })
    for (const [key, failure] of [['once', 'claim'], ['still away', 'claim and abandon']] as const) {
      failing = failure
      await t.rejects(answers.claim(key, 'one'), { code: 'BROKER_UNAVAILABLE' })
      if (failure === 'claim') failing = null
      const outcome = taken.pop() as Extract<ClaimOutcome, { state: 'claimed' }>
      await waitFor('the key to be free before its lease ends', async () => {
        const repeat = await answers.claim(key, 'one')
        return repeat.state === 'claimed' && repeat.isRepeated && repeat.operationId === outcome.operationId
      })
    }
  })
})
