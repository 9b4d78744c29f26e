import t from 'tap'
import { errorGroupOf, normalizeMessage, topOwnFrame } from '../../lib/backend/fingerprint.ts'

t.test('messages lose what changes from one occurrence to the next', async t => {
  const table = [
    ['Order 4711 is gone', 'Order <number> is gone'],
    ['user "ann" not found', 'user <value> not found'],
    ["Cannot read properties of undefined (reading 'id')", 'Cannot read properties of undefined (reading <value>)'],
    ['job 0b5a1ce2-7c0e-4d7e-9d8a-0a5c3f6e1b2d failed', 'job <id> failed'],
    ['commit deadbeef1 and 0xFF', 'commit <id> and <id>'],
    ['connect ECONNREFUSED 127.0.0.1:6379', 'connect ECONNREFUSED <address>'],
    ['connect ECONNREFUSED [::1]:6379', 'connect ECONNREFUSED <address>'],
    ["ENOENT: no such file or directory, open '/var/lib/a.csv'", 'ENOENT: no such file or directory, open <value>'],
    ['cannot open /srv/app-12/data/a.csv now', 'cannot open <path> now'],
    ['cannot open C:\\data\\x\\a.csv', 'cannot open <path>'],
    ['GET https://api.example.org/v1/users/7?x=1 gave 503', 'GET <url> gave <number>'],
    ['no mailbox ann.b@example.org', 'no mailbox <email>'],
    ['timeout of 1,500.25 ms\n  exceeded', 'timeout of <number> ms exceeded'],
    ['decade and facade stay', 'decade and facade stay']
  ] as const
  for (const [message, expected] of table) t.equal(normalizeMessage(message), expected)
})

t.test('the frame is the innermost of the own code, without lines', async t => {
  const stack = [
    'TypeError: x', '    at node:internal/process/task_queues:95:5', '    at Socket.emit (node:events:513:28)',
    '    at request (/app/node_modules/got/dist/index.js:1:2)', '    at async Mailer.send (file:///srv/release-42/src/mail.js:10:7)', '    at main (/app/main.js:1:1)'
  ].join('\n')
  t.equal(topOwnFrame(stack), 'Mailer.send@src/mail.js')
  t.equal(topOwnFrame('Error: x\n    at /app/jobs/run.ts:3:9'), '@jobs/run.ts')
  t.equal(topOwnFrame('Error: x\n    at run (C:\\app\\jobs\\run.js:3:9)'), 'run@jobs/run.js')
  t.equal(topOwnFrame('Error: x\n    at node:internal/main:1:1'), null)
  t.equal(topOwnFrame(null), null)
  t.equal(topOwnFrame('not a stack'), null)
})

t.test('equal errors share a group, others do not', async t => {
  const stack = (line: number) => `Error\n    at send (/app/mail.js:${line}:1)`
  const group = errorGroupOf({ type: 'Error', message: 'order 1 gone', stack: stack(1) })
  t.match(group, /^[0-9a-f]{12}$/)
  t.equal(errorGroupOf({ type: 'Error', message: 'order 22 gone', stack: stack(80) }), group)
  t.not(errorGroupOf({ type: 'TypeError', message: 'order 1 gone', stack: stack(1) }), group)
  t.not(errorGroupOf({ type: 'Error', message: 'invoice 1 gone', stack: stack(1) }), group)
  t.not(errorGroupOf({ type: 'Error', message: 'order 1 gone', stack: null }), group)
})

t.test('a hostile message takes no time', async t => {
  const start = performance.now()
  for (const text of ['"'.repeat(50_000), 'a@'.repeat(50_000), '/a'.repeat(50_000), 'a-'.repeat(50_000), ':'.repeat(50_000), '    at ('.repeat(20_000)]) {
    errorGroupOf({ type: 'Error', message: text, stack: text })
    errorGroupOf({ type: 'Error', message: 'x', stack: `Error\n    at ${text}` })
  }
  t.ok(performance.now() - start < 1_000)
})
