import t from 'tap'
import { deduplicationProblems, refuseDuplicates, requireKeyOfEach, toDeduplication } from '../../../lib/queue-app/tasks/deduplication.ts'
import { createEnqueueRequest } from '../../../lib/queue-app/enqueueing/enqueue-request.ts'
import { fixedDelay } from '../../../lib/time/backoff.ts'

const policy = { retries: 0, backoff: fixedDelay(0) }

t.test('a key is a text, or is computed from the arguments', async t => {
  t.same(toDeduplication({ key: 'user 42' }, [1]), { key: 'user 42', ttlMs: null })
  t.same(
    toDeduplication({ key: (id: number, kind: string) => `${kind} ${id}`, ttlMs: 60_000 }, [42, 'user']), { key: 'user 42', ttlMs: 60_000 }
  )
  t.same(
    createEnqueueRequest('a', [7], { deduplication: { key: (id: number) => `order ${id}` } }, policy).deduplication,
    { key: 'order 7', ttlMs: null }
  )
  t.notOk('deduplication' in createEnqueueRequest('a', [], {}, policy))
})

t.test('all problems are reported', async t => {
  const told: Array<[unknown, string[]]> = [
    ['user 42', ['deduplication must be an object']], [null, ['deduplication must be an object']],
    [[], ['deduplication must be an object']], [{}, ['deduplication.key must be']],
    [{ key: '' }, ['deduplication.key must be']], [{ key: 'x'.repeat(201) }, ['deduplication.key must be']],
    [{ key: 'x'.repeat(1_000_000) }, ['deduplication.key must be']],
    [{ key: 'a\0' }, ['deduplication.key must be']], [{ key: '\ud800' }, ['deduplication.key must be']],
    [{ key: 42 }, ['deduplication.key must be']],
    [{ key: 'a', ttlMs: 0 }, ['deduplication.ttlMs must']], [{ key: 'a', ttlMs: 1.5 }, ['deduplication.ttlMs must']],
    [{ key: 'a', ttlMs: 31_536_000_001 }, ['deduplication.ttlMs must']],
    [{ key: 'a', ttl: 5, onDuplicate: 'throw' }, ['deduplication.ttl is not an option', 'deduplication.onDuplicate must']]
  ]
  for (const [deduplication, problems] of told) {
    const found = deduplicationProblems(deduplication)
    t.equal(found.length, problems.length, JSON.stringify(deduplication)?.slice(0, 60))
    for (const [index, problem] of problems.entries()) t.ok(found[index]?.startsWith(problem), `${found[index]} begins with ${problem}`)
  }
  for (const deduplication of [
    undefined, { key: '😀'.repeat(200) }, { key: 'a', ttlMs: 1, onDuplicate: 'reject' },
    { key: () => 'a', ttlMs: 31_536_000_000, onDuplicate: 'return' }
  ]) {
    t.same(deduplicationProblems(deduplication), [])
  }
})

t.test('a function that returns no valid key is refused, and what it throws is thrown', async t => {
  const enqueue = (key: () => unknown) => () => createEnqueueRequest('a', [], { deduplication: { key: key as () => string } }, policy)
  for (const key of ['', undefined, 5, Promise.resolve('a')])
    t.throws(enqueue(() => key), { code: 'INVALID_ARGUMENTS', message: /deduplication\.key must return/ })
  t.throws(enqueue(() => { throw new RangeError('mine') }), { name: 'RangeError', message: 'mine' })
})

t.test('one key for several executions is refused', async t => {
  t.throws(() => { requireKeyOfEach({ key: 'a' }, 2) }, { code: 'INVALID_ARGUMENTS', message: /a function of the arguments/ })
  for (const [options, count] of [[{ key: 'a' }, 1], [{ key: 'a' }, 0], [{ key: () => 'a' }, 2], [undefined, 2]] as const)
    t.doesNotThrow(() => { requireKeyOfEach(options, count) })
})

t.test('with onDuplicate "reject" the error has all duplicates and what was added', async t => {
  const requests = ['1', '2', '3'].map(executionId => ({ ...createEnqueueRequest('a', [], {}, policy), executionId }))
  t.doesNotThrow(() => { refuseDuplicates(requests, ['1', '2', '3']) })
  t.throws(() => { refuseDuplicates(requests, ['1', 'earlier', '3']) }, {
    code: 'DUPLICATE_EXECUTION', statusCode: 409, enqueuedIds: ['1', '3'], duplicateOf: ['earlier'], message: /^1 of 3/
  })
  t.throws(
    () => { refuseDuplicates(requests, ['1', '1', 'earlier']) }, { enqueuedIds: ['1'], duplicateOf: ['earlier'], message: /^2 of 3/ },
    'also duplicates of one another'
  )
})
