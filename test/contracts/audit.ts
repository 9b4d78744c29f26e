import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { v7 as uuid } from 'uuid'
import { PRUNED_PER_CALL, type AuditKind, type AuditStore } from '../../lib/stores/audit/audit.ts'

const UNLIMITED = { maxAgeMs: 1e12, maxCount: { write: 1e9, refusal: 1e9 } }

/** The contract of every audit store. */
export async function testAudit(t: Test, audit: AuditStore): Promise<void> {
  async function append(entry: string, kind: AuditKind = 'write'): Promise<string> {
    const id = uuid()
    await audit.append({ id, kind, entry })
    return id
  }
  const texts = async (query: Partial<Parameters<AuditStore['list']>[0]> = {}): Promise<string[]> =>
    (await audit.list({ limit: 1_000, ...query })).map(({ entry }) => entry)

  await t.test('entries are listed newest first, with the time of the store and their outcome', async t => {
    const before = Date.now() - 5_000
    const first = await append('{"text":"日報"}')
    await sleep(3)
    const second = uuid()
    await audit.append({ id: second, kind: 'refusal', entry: 'refused', outcome: '"no"' })
    await audit.append({ id: second, kind: 'refusal', entry: 'sent again', outcome: '"yes"' })
    t.match(await audit.list({ limit: 10 }), [
      { id: second, entry: 'refused', outcome: '"no"' }, { id: first, entry: '{"text":"日報"}', outcome: null }
    ])
    await audit.settle(first, '"done"')
    await audit.settle(first, '"something else"')
    await audit.settle(uuid(), '"of nothing"')
    const listed = await audit.list({ limit: 10 })
    t.same(listed.map(({ outcome }) => outcome), ['"no"', '"done"'], 'the first outcome stays')
    t.ok(listed.every(({ at }) => Number.isInteger(at) && at > before && at < Date.now() + 5_000))
  })

  await t.test('pages follow each other without gaps, even among entries with the same timestamp', async t => {
    await Promise.all(Array.from({ length: 60 }, (_, index) => append(`${index}`, index % 3 === 0 ? 'refusal' : 'write')))
    const all = await audit.list({ limit: 1_000 })
    t.equal(all.length, 62)
    const paged = []
    for (let after: { at: number, id: string } | undefined; ;) {
      const page = await audit.list({ limit: 7, ...after && { after } })
      paged.push(...page)
      if (page.length < 7) break
      after = page.at(-1)!
    }
    t.same(paged, all)
    t.same(all.toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1)), all)
    const { at } = all[20]!
    t.same((await audit.list({ from: at, limit: 1_000 })).map(({ id }) => id), all.filter(each => each.at >= at).map(({ id }) => id))
    t.same((await audit.list({ to: at, limit: 1_000 })).map(({ id }) => id), all.filter(each => each.at < at).map(({ id }) => id))
  })

  await t.test('pruning removes the oldest entries of each kind, by age and by count', async t => {
    t.equal(await audit.prune(UNLIMITED), 0)
    const kept = (await texts()).length
    t.equal(await audit.prune({ ...UNLIMITED, maxCount: { write: 1e9, refusal: 5 } }), 16)
    t.equal((await texts()).length, kept - 16)
    t.ok((await texts()).includes('{"text":"日報"}'), 'no write was removed')
    // Long enough for a busy machine to prune before the last entry reaches this age.
    await sleep(1_100)
    const last = await append('the last')
    t.equal(await audit.prune({ ...UNLIMITED, maxAgeMs: 1_000 }), kept - 16)
    t.same(await audit.list({ limit: 10 }).then(rows => rows.map(({ id }) => id)), [last])
    await Promise.all(Array.from({ length: PRUNED_PER_CALL + 9 }, () => append('many')))
    const none = { maxAgeMs: 1e12, maxCount: { write: 0, refusal: 0 } }
    t.same([await audit.prune(none), await audit.prune(none), await audit.prune(none)], [PRUNED_PER_CALL, 10, 0])
    await audit.settle(last, '"too late"')
    t.same(await texts(), [])
  })
}
