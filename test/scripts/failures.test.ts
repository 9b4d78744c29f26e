import { test } from 'tap'
import { Failures } from '../../scripts/failures.ts'

const OUTPUT = `TAP version 14
1..4
# Subtest: test/a.test.ts
    # Subtest: adds
        ok 1 - should be equal
        not ok 2 - numbers
          ---
          diff: |
            -2
            +1
          source: not told
          ...
        1..2
    not ok 1 - adds # time=4ms
    ok 2 - takes away # SKIP no minus
    1..2
not ok 1 - test/a.test.ts # time=9ms

# Subtest: test/killed.test.ts
    # Subtest: waits
        ok 1 - should be equal
        1..1
    ok 1 - waits
    1..1
not ok 2 - test/killed.test.ts # time=9ms
  ---
  signal: SIGKILL
  ...

# Subtest: test/fine.test.ts
    ok 1 - fine
    1..1
ok 3 - test/fine.test.ts

ok 4 - test/later.test.ts # TODO
`

await test('each failure is reported once with the tests that contain it, and so is a file that fails without a failing test', async t => {
  const failures = new Failures()
  for (const line of OUTPUT.split('\n')) failures.add(line)
  t.same(failures.end(), [
    'test/a.test.ts > adds > numbers\n    diff: -2\n    +1',
    'test/a.test.ts > takes away (skipped)',
    'test/killed.test.ts\n    signal: SIGKILL',
    'test/later.test.ts (todo)'
  ])
})

await test('a failure of many lines is cut', async t => {
  const failures = new Failures()
  failures.add('not ok 1 - long')
  failures.add('  ---')
  failures.add('  diff: |')
  for (let line = 0; line < 100; line++) failures.add(`    line ${line}`)
  failures.add('  ...')
  failures.add('1..1')
  const [text] = failures.end()
  t.equal(text!.split('\n').length, 40)
})
