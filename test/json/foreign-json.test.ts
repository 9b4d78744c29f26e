import t from 'tap'
import { parsed, textsFrom, valueOrText } from '../../lib/json/foreign-json.ts'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

t.test('JSON that nests too deep to be written again is shown as text, and brackets in strings do not count', t => {
  t.same(JSON.stringify(parsed(nested(1_000))), nested(1_000))
  t.equal(parsed(nested(1_001)), undefined)
  t.equal(valueOrText(nested(500_000)), nested(500_000))
  t.equal(parsed(`${'{"a":'.repeat(1_001)}1${'}'.repeat(1_001)}`), undefined)
  const text = `${'[{'.repeat(2_000)}\\"`
  t.same(parsed(JSON.stringify([text])), [text])
  t.same(parsed(JSON.stringify(Array.from({ length: 2_000 }, () => []))), Array.from({ length: 2_000 }, () => []))
  t.end()
})

t.test('text that is not JSON is checked in one pass', t => {
  const startedAt = performance.now()
  for (const part of ['"', '\\"', '"\\', '[', '{"', '\\']) t.equal(parsed(`"${part.repeat(1_000_000)}x`), undefined)
  t.ok(performance.now() - startedAt < 2_000)
  t.end()
})

t.test('the texts of an array have its other values as JSON', t => {
  t.same(textsFrom(['a', 1, null, [['b']], { toString: 5 }]), ['a', '1', 'null', '[["b"]]', '{"toString":5}'])
  t.same(textsFrom({}), [])
  t.end()
})
