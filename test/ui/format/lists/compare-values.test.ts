import t from 'tap'
import { compareValues } from '../../../../ui/src/format/lists/compare-values.ts'

t.test('differing fields are listed with both values, bookkeeping fields last, and the others as unchanged', async t => {
  t.same(compareValues(
    { version: '3', cron: '0 7 * * *', args: ['a', { deep: 1 }], stats: { runs: 7 }, gone: true, note: null },
    { version: '4', cron: '0 6 * * *', args: ['a', { deep: 2 }], stats: { runs: 7 }, note: null, new: [] }
  ), {
    changed: [
      { path: 'cron', before: '"0 7 * * *"', after: '"0 6 * * *"' },
      { path: 'args[1].deep', before: '1', after: '2' },
      { path: 'new', before: undefined, after: '[]' },
      { path: 'gone', before: 'true', after: undefined },
      { path: 'version', before: '"3"', after: '"4"' }
    ],
    same: [{ path: 'args[0]', value: '"a"' }, { path: 'stats.runs', value: '7' }, { path: 'note', value: 'null' }],
    isCut: false
  })
})

t.test('a missing state, and a response that is not a state of the same resource, are not compared', async t => {
  for (const [before, after] of [[null, { a: 1 }], [{ a: 1 }, null], ['a', 'b'], [[1], [2]]] as const)
    t.equal(compareValues(before, after), null)
  t.equal(compareValues({ schedule_id: 's', cron: '*', enabled: true }, { schedule_id: 's', deleted: true }), null, 'a deletion')
})

t.test('for long texts, the part with the first difference is shown', async t => {
  const start = 'x'.repeat(5_000)
  const [change] = compareValues({ a: `${start}one${start}` }, { a: `${start}two${start}` })!.changed
  t.match(change!.before, /^…x{40}onex+…$/)
  t.match(change!.after, /^…x{40}twox+…$/)
  const [shorter] = compareValues({ a: start }, { a: start + start })!.changed
  t.match(shorter!.before, /^…x{39}"$|^…x{40}"$/, 'even if one text only continues the other')
})

t.test('hostile keys are plain keys, and thousands of fields are cut', async t => {
  const hostile = JSON.parse('{"__proto__": 1, "constructor": {"prototype": 2}, "": 3}') as object
  t.same(compareValues(hostile, { ...hostile, constructor: 5 })!.changed.map(({ path }) => path), ['constructor', 'constructor.prototype'])
  const many = (value: number) => Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, value]))
  const { changed, isCut } = compareValues(many(1), many(2))!
  t.equal(isCut, true)
  t.equal(changed.length, 300)
})

t.test('a change is found behind hundreds of fields, and what moved up is no change', async t => {
  const fields = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`k${index}`, index]))
  const { k0: _first, k1: _second, ...fewer } = fields
  const { changed, same, isCut } = compareValues(fields, { ...fewer, k399: 'new' })!
  t.same(changed.map(({ path }) => path), ['k399', 'k0', 'k1'])
  t.equal(same.length, 297)
  t.equal(isCut, true)
  const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`k${index}`, 1]))
  const { k0: _gone, ...rest } = many
  t.same(compareValues(many, rest)!.changed, [], 'what was not read is called neither new nor gone')
})
