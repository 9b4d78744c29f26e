import fc from 'fast-check'
import t from 'tap'
import { packId, unpackId } from '../../../lib/backend/redis/packed-id.ts'

t.test('any id is unpacked to itself, and no two ids share a packed form', async () => {
  const uuid = fc.uuid()
  const id = fc.oneof(
    uuid, uuid.map(each => each.toUpperCase()), uuid.map(each => `repeat:${each}:1`), fc.string({ unit: 'binary' }),
    fc.constantFrom('', '\u0000', '\u0000'.repeat(17))
  )
  fc.assert(fc.property(id, id, (a, b) => unpackId(packId(a)) === a && (a === b || !packId(a).equals(packId(b)))), { numRuns: 3_000 })
})

t.test('a UUID packs into 17 bytes and keeps its order', async t => {
  t.equal(packId('00112233-4455-4677-8899-aabbccddeeff').length, 17)
  fc.assert(fc.property(fc.uuid(), fc.uuid(), (a, b) => Math.sign(Buffer.compare(packId(a), packId(b))) === (a < b ? -1 : a > b ? 1 : 0)))
})
