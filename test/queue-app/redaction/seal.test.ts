import { randomBytes } from 'node:crypto'
import t from 'tap'
import { createSeal, MAX_SEALED_BYTES, sealProblems } from '../../../lib/queue-app/redaction/seal.ts'

const KEY = randomBytes(32)
const ARGS = [{ token: 's3cret', note: '日報' }, 7, null]

t.test('only the same execution and the same key open a seal', async t => {
  const seal = createSeal({ key: KEY })
  const sealed = seal.close('a', ARGS)!
  t.notMatch(sealed, /s3cret/)
  t.match(sealed, /^v1\.[0-9a-f]{16}\.[\w-]+$/)
  t.strictSame(seal.open('a', sealed), { args: ARGS })
  t.not(seal.close('a', ARGS), sealed, 'the nonce is new each time')
  t.match(seal.open('b', sealed), { problem: /seal is broken/ }, 'sealed for another execution')
  t.match(createSeal({ key: randomBytes(32) }).open('a', sealed), { problem: /key that this process does not have.*id [0-9a-f]{16}/ })
  t.match(createSeal(null).open('a', sealed), { problem: /key that this process does not have/ })
})

t.test('a seal that was changed is not opened', async t => {
  const seal = createSeal({ key: KEY })
  const [version, id, body] = seal.close('a', ARGS)!.split('.') as [string, string, string]
  const bytes = Buffer.from(body, 'base64url')
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes)
    changed[index]! ^= 1
    t.match(seal.open('a', [version, id, changed.toString('base64url')].join('.')), { problem: /seal is broken/ }, `byte ${index}`)
  }
  for (const cut of ['', body.slice(0, 10), body.slice(0, -4)])
    t.match(seal.open('a', [version, id, cut].join('.')), { problem: /seal is broken/ }, `cut to ${cut.length}`)
  for (const odd of ['', 'v1', 'v1..', `v2.${id}.${body}`, '...'])
    t.match(seal.open('a', odd), { problem: /key that this process does not have/ }, odd)
})

t.test('after a rotation, the previous key still opens what it sealed', async t => {
  const sealed = createSeal({ key: KEY.toString('hex') }).close('a', ARGS)!
  const key = randomBytes(32).toString('base64')
  const rotated = createSeal({ key, earlierKeys: [KEY.toString('base64')] })
  t.strictSame(rotated.open('a', sealed), { args: ARGS })
  t.strictSame(createSeal({ key }).open('a', rotated.close('a', ARGS)!), { args: ARGS }, 'the new key seals')
})

t.test('larger arguments are not sealed', async t => {
  const seal = createSeal({ key: KEY })
  t.type(seal.close('a', ['x'.repeat(MAX_SEALED_BYTES - 4)]), 'string')
  t.equal(seal.close('a', ['x'.repeat(MAX_SEALED_BYTES - 3)]), null)
})

t.test('every problem with the option is named, without the key', async t => {
  const short = 'c2hvcnQ='
  const problems: Array<[unknown, RegExp[]]> = [
    [{ key: KEY }, []],
    [{ key: KEY.toString('base64'), earlierKeys: [KEY.toString('hex')] }, []],
    ['key', [/^redact\.seal must be an object$/]],
    [[], [/^redact\.seal must be an object$/]],
    [{}, [/^redact\.seal\.key must be 32 bytes.*openssl rand -base64 32/]],
    [{ key: '' }, [/seal\.key must be 32 bytes/]],
    [{ key: short, keys: [] }, [/seal\.keys is not an option/, /seal\.key must be 32 bytes/]],
    [{ key: KEY, earlierKeys: [KEY, short] }, [/earlierKeys\[1\] must be 32 bytes/]],
    [{ key: KEY, earlierKeys: short }, [/earlierKeys must be an array/]]
  ]
  for (const [option, expected] of problems) {
    const found = sealProblems(option)
    t.equal(found.length, expected.length, JSON.stringify(option))
    for (const [index, pattern] of expected.entries()) t.match(found[index], pattern)
    t.notOk(found.some(problem => problem.includes(short)))
  }
})
