import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'

import type { DocumentStore } from '../../lib/stores/documents/documents.ts'
import { inBatches } from '../support/in-batches.ts'

/** The contract of every document store. */
export async function testDocuments(t: Test, documents: DocumentStore): Promise<void> {
  await t.test('a document is read as it was written, with its version', async t => {
    const value = { text: 'NUL \0, half \ud800, 日報 😀', list: [1, null, { a: 0.1 }] }
    t.equal(await documents.put('c', 'one', value), 1)
    t.same(await documents.get('c', 'one'), { id: 'one', version: 1, value })
    t.equal(await documents.put('c', 'one', 'other'), 2)
    t.same(await documents.get('c', 'one'), { id: 'one', version: 2, value: 'other' })
    t.equal(await documents.get('c', 'two'), null)
    t.equal(await documents.get('d', 'one'), null)
  })

  await t.test('an id may be any text', async t => {
    const ids = ['', 'a:b', '\0', '\ud800', '�', '"\\', '日報', '😀', '{tasks}', '*', 'x'.repeat(500)]
    for (const id of ids) await documents.put('ids', id, id)
    t.same((await documents.list('ids')).map(({ value }) => value), ids.toSorted((a, b) => a < b ? -1 : 1))
    t.same((await documents.getMany<string>('ids', [...ids, 'none'])).map(document => document?.value ?? null), [...ids, null])
    t.same(await documents.getMany('ids', []), [])
  })

  await t.test('a collection of any size is listed completely, ordered by id', async t => {
    const ids = Array.from({ length: 1201 }, (_, index) => `n${String(index * 7919 % 1201).padStart(4, '0')}`)
    await inBatches(ids, 20, id => documents.put('many', id, { id }))
    const listed = await documents.list<{ id: string }>('many')
    t.same(listed.map(({ id, version, value }) => [id, version, value.id]), ids.toSorted().map(id => [id, 1, id]))
    t.same((await documents.getMany<{ id: string }>('many', [...ids, 'none'])).map(document => document?.value.id ?? null), [...ids, null])
    for (const id of ['n0000', 'n0500', 'n1200']) t.equal(await documents.delete('many', id), true)
    t.equal((await documents.list('many')).length, 1198, 'without the deleted ones')
  })

  await t.test('one call reads any number of ids', async t => {
    const ids = Array.from({ length: 9_000 }, (_, index) => `id ${index}`)
    await documents.put('crowd', 'id 8999', 'last')
    await documents.increment('crowd', 'id 8999', 3)
    t.strictSame(
      (await documents.getMany<string>('crowd', ids)).flatMap((document, index) => document === null ? [] : [[index, document.value]]),
      [[8_999, 'last']]
    )
    t.strictSame((await documents.counters('crowd', ids)).flatMap((value, index) => value === 0 ? [] : [[index, value]]), [[8_999, 3]])
  })

  await t.test('one call writes any number of documents, and each gets its next version', async t => {
    const ids = ['NUL \0', 'half \ud800', ...Array.from({ length: 2_000 }, (_, index) => `n ${index}`)]
    await documents.put('written', 'n 0', 'before')
    await Promise.all([1, 2, 3].map(() => documents.putMany('written', ids.map(id => ({ id, value: { id } })))))
    t.equal((await documents.get('written', 'n 0'))?.version, 4)
    t.equal((await documents.get('written', 'n 1'))?.version, 3)
    t.same((await documents.getMany<{ id: string }>('written', ids)).map(document => document?.value.id), ids)
    await documents.putMany('written', [{ id: 'short', value: 1 }, { id: 'n 1', value: 1 }], { ttlMs: 300 })
    await sleep(400)
    t.same(await documents.getMany('written', ['short', 'n 1']), [null, null])
    await documents.putMany('written', [{ id: 'short', value: 2 }])
    t.same(await documents.get('written', 'short'), { id: 'short', version: 1, value: 2 })
    await documents.putMany('written', [])
  })

  await t.test('a write with a fence succeeds only as long as the fence document has not been written again', async t => {
    const version = (await documents.put('turns', 'half \ud800', 'first'))!
    const onlyWhile = { collection: 'turns', id: 'half \ud800', version, value: 'first' }
    const many = Array.from({ length: 1_200 }, (_, index) => ({ id: `n ${index}`, value: index }))
    await documents.putMany('fenced', many, { onlyWhile })
    await documents.putMany('fenced', [{ id: 'n 0', value: 'again' }], { onlyWhile, ttlMs: 60_000 })
    t.same(await documents.get('fenced', 'n 0'), { id: 'n 0', version: 2, value: 'again' })
    await documents.put('turns', 'half \ud800', 'second')
    await t.rejects(documents.putMany('fenced', [{ id: 'n 0', value: 'late' }], { onlyWhile, ttlMs: 60_000 }), { name: 'SupersededError' })
    await t.rejects(documents.putMany('fenced', many, { onlyWhile }), { name: 'SupersededError' })
    await t.rejects(
      documents.putMany('fenced', [{ id: 'new', value: 1 }], { onlyWhile: { ...onlyWhile, id: 'none' } }), { name: 'SupersededError' }
    )
    t.same(await documents.getMany('fenced', ['n 0', 'new']), [{ id: 'n 0', version: 2, value: 'again' }, null])
    const next = { ...onlyWhile, version: version + 1, value: 'second' }
    await documents.putMany('fenced', [{ id: 'n 0', value: 'mine' }], { onlyWhile: next })
    t.equal((await documents.get('fenced', 'n 0'))?.value, 'mine')
  })

  await t.test('a fence is void once its document was lost and written again, even with the same version', async t => {
    const turns = ['first', 'ä "'].map(holder => ({ collection: 'turns', id: 'lost', version: 1, value: { holder } }))
    for (const { collection, id, version, value } of turns) {
      await documents.delete(collection, id)
      t.equal(await documents.put(collection, id, value), version)
    }
    const late = documents.putMany('fenced', [{ id: 'lost', value: 1 }], { onlyWhile: turns[0]! })
    await t.rejects(late, { name: 'SupersededError' })
    await documents.putMany('fenced', [{ id: 'lost', value: 2 }], { onlyWhile: turns[1]! })
    t.equal((await documents.get('fenced', 'lost'))?.value, 2)
  })

  await t.test('replaceMany() writes only documents whose version matches, each with its counter', async t => {
    const ids = ['NUL \0', 'half \ud800', ...Array.from({ length: 1_200 }, (_, index) => `n ${index}`)]
    await documents.put('books', 'n 0', 'before')
    await documents.put('books', 'n 1', 'gone', { ttlMs: 1 })
    await documents.increment('missed', 'n 2', 2)
    await sleep(20)
    const replacements = ids.map((id, index) => ({ id, value: { id }, ifVersion: id === 'n 3' ? 4 : 0, adds: index % 2 + 0.5 }))
    // Of two concurrent calls, each document is written by only one.
    const written = await Promise.all([1, 2].map(() => documents.replaceMany('books', replacements, { counters: 'missed' })))
    const expected = ids.map(id => id !== 'n 0' && id !== 'n 3')
    t.same(written.map(each => each.length), [ids.length, ids.length])
    t.same(ids.map((_, index) => Number(written[0]![index]) + Number(written[1]![index])), expected.map(Number))
    t.same((await documents.getMany('books', ids)).map(each => each?.version ?? 0), ids.map(id => id === 'n 3' ? 0 : 1))
    t.same(await documents.get('books', 'half \ud800'), { id: 'half \ud800', version: 1, value: { id: 'half \ud800' } })
    t.same(
      await documents.counters('missed', ids), ids.map((id, index) => (expected[index] ? index % 2 + 0.5 : 0) + (id === 'n 2' ? 2 : 0))
    )
    t.same(
      await documents.replaceMany(
        'books', [{ id: 'n 5', value: 7, ifVersion: 1, adds: 0 }, { id: 'n 6', value: 7, ifVersion: 2, adds: 1 }], { counters: 'missed' }
      ),
      [true, false]
    )
    t.same(await documents.get('books', 'n 5'), { id: 'n 5', version: 2, value: 7 })
    t.same(await documents.replaceMany('books', [], { counters: 'missed' }), [])
  })

  await t.test('a write with ifVersion happens only if the version matches', async t => {
    t.equal(await documents.put('v', 'a', 1, { ifVersion: 1 }), null)
    t.equal(await documents.get('v', 'a'), null)
    t.equal(await documents.put('v', 'a', 1, { ifVersion: 0 }), 1)
    t.equal(await documents.put('v', 'a', 2, { ifVersion: 0 }), null)
    t.equal(await documents.put('v', 'a', 2, { ifVersion: 1 }), 2)
    t.same(await documents.get('v', 'a'), { id: 'a', version: 2, value: 2 })
    const races = await Promise.all(Array.from({ length: 8 }, (_, index) => documents.put('v', 'a', index, { ifVersion: 2 })))
    t.equal(races.filter(version => version !== null).length, 1)
  })

  await t.test('a document expires after its lifetime, and can then be created again', async t => {
    await documents.put('ttl', 'short', 1, { ttlMs: 2_000 })
    await documents.put('ttl', 'long', 1, { ttlMs: 60_000 })
    t.same((await documents.list('ttl')).map(({ id }) => id), ['long', 'short'])
    await sleep(2_100)
    t.equal(await documents.get('ttl', 'short'), null)
    t.same((await documents.list('ttl')).map(({ id }) => id), ['long'])
    t.equal(await documents.delete('ttl', 'short'), false)
    await documents.put('ttl', 'again', 1, { ttlMs: 700 })
    await sleep(800)
    t.equal(await documents.put('ttl', 'again', 2, { ifVersion: 1 }), null)
    t.equal(await documents.put('ttl', 'again', 2, { ifVersion: 0 }), 1)
    t.equal((await documents.get('ttl', 'again'))?.value, 2)
  })

  await t.test('a full collection refuses new documents but accepts changes', async t => {
    for (const id of ['a', 'b']) t.equal(await documents.put('full', id, 1, { ifVersion: 0, ifFewerThan: 2 }), 1)
    t.equal(await documents.put('full', 'c', 1, { ifVersion: 0, ifFewerThan: 2 }), null)
    t.equal(await documents.put('full', 'a', 2, { ifFewerThan: 2 }), 2)
    await documents.delete('full', 'b')
    t.equal(await documents.put('full', 'c', 1, { ifFewerThan: 2 }), 1)
    t.same((await documents.list('full')).map(({ id, value }) => [id, value]), [['a', 2], ['c', 1]])
  })

  await t.test('a counter grows atomically with a write or a removal, and only if it happened', async t => {
    const increments = [{ collection: 'revisions', id: 'counted', by: 1 }, { collection: 'sums', id: 'half \ud800', by: -2.5 }]
    t.equal(await documents.put('counted', 'a', 1, { ifVersion: 1, increments }), null)
    t.equal(await documents.delete('counted', 'a', { increments }), false)
    t.same(await documents.counters('revisions', ['counted']), [0])
    t.equal(await documents.put('counted', 'a', 1, { ifVersion: 0, increments }), 1)
    t.equal(await documents.put('counted', 'a', 2, { increments }), 2)
    t.equal(await documents.delete('counted', 'a', { increments }), true)
    t.same(await documents.counters('revisions', ['counted']), [3])
    t.same(await documents.counters('sums', ['half \ud800']), [-7.5])
  })

  await t.test('delete() returns whether there was a document', async t => {
    await documents.put('d', 'a', 1)
    t.equal(await documents.delete('d', 'a'), true)
    t.equal(await documents.delete('d', 'a'), false)
    t.same(await documents.list('d'), [])
  })

  await t.test('concurrent increments add up', async t => {
    await Promise.all(Array.from({ length: 20 }, () => documents.increment('n', 'a', 2)))
    t.equal(await documents.increment('n', 'a', -1.5), 38.5)
    t.same(await documents.counters('n', ['b', 'a']), [0, 38.5])
    await documents.deleteCounter('n', 'a')
    t.same(await documents.counters('n', ['a']), [0])
    t.same(await documents.counters('n', []), [])
    t.same(await documents.list('n'), [])
  })

  await t.test('a lease has one holder, who can renew it, until it expires or is released', async t => {
    const asked = await Promise.all(['a', 'b', 'c'].map(holder => documents.acquireLease('leader', holder, 60_000)))
    t.equal(asked.filter(Boolean).length, 1)
    const holder = 'abc'[asked.indexOf(true)]!
    t.equal(await documents.acquireLease('leader', holder, 60_000), true)
    await documents.releaseLease('leader', 'somebody else')
    t.equal(await documents.acquireLease('leader', 'd', 60_000), false)
    await documents.releaseLease('leader', holder)
    t.equal(await documents.acquireLease('leader', 'd', 700), true)
    await sleep(800)
    t.equal(await documents.acquireLease('leader', 'e', 700), true)
  })
}
