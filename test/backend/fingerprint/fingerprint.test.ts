import t from 'tap'
import { errorGroupOf } from '../../../lib/backend/fingerprint/fingerprint.ts'
import { normalizeMessage } from '../../../lib/backend/fingerprint/normalize-message.ts'
import { topOwnFrame } from '../../../lib/backend/fingerprint/own-frame.ts'

t.test('normalizing a message replaces what changes from one occurrence to the next', async t => {
  const table = [
    ['Order 4711 is gone', 'Order <number> is gone'],
    ['user "ann" not found', 'user <value> not found'],
    ["Cannot read properties of undefined (reading 'id')", 'Cannot read properties of undefined (reading id)'],
    ['job 0b5a1ce2-7c0e-4d7e-9d8a-0a5c3f6e1b2d failed', 'job <id> failed'],
    ['commit deadbeef1 and 0xFF', 'commit <id>'],
    ['connect ECONNREFUSED 127.0.0.1:6379', 'connect ECONNREFUSED <address>'],
    ['connect ECONNREFUSED [::1]:6379', 'connect ECONNREFUSED <address>'],
    ["ENOENT: no such file or directory, open '/var/lib/a.csv'", 'ENOENT: no such file or directory, open <value>'],
    ['cannot open /srv/app-12/data/a.csv now', 'cannot open <path> now'],
    ['cannot open C:\\data\\x\\a.csv', 'cannot open <path>'],
    ['GET https://api.example.org/v1/users/7?x=1 gave 503', 'GET <url api.example.org> gave 503'],
    ['no mailbox ann.b@example.org', 'no mailbox <email>'],
    ['timeout of 1,500.25 ms\n  exceeded', 'timeout of <number> exceeded'],
    ['decade and facade stay', 'decade and facade stay'],
    ["user's account isn't active for user 42", "user's account isn't active for user <number>"],
    ["can't open 'Ann's list' of ‘Bob’", "can't open <value> of <value>"],
    ['connect ECONNREFUSED ::1:5432', 'connect ECONNREFUSED <address>'],
    ['getaddrinfo ENOTFOUND db-7f9c4d5b6-x2x4z.default.svc', 'getaddrinfo ENOTFOUND db-<id>.default.svc'],
    ['read ECONNRESET', 'read ECONNRESET'],
    ['no route to fe80::1ff:fe23:4567:890a or 2001:db8::1, std::string', 'no route to <address>, std::string'],
    ['device aa:bb:cc:dd:ee:ff at 10:11:12', 'device <address> at <date>'],
    ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_DEF-123 expired', 'token <id> expired'],
    ['ULID 01ARZ3NDEKTSV4RRFFQ69G5FAV, cus_N1aB2c3D4e5F6g, V1StGXR8_Z5jdHi6B-myT', 'ULID <id>, cus_<id>, <id>'],
    [
      'utf8mb4_unicode_ci, maxRetriesPerRequest, sha256 and convertToBase64String',
      'utf<number>mb<number>_unicode_ci, maxRetriesPerRequest, sha<number> and convertToBase<number>String'
    ],
    ['Sat Nov 21 2026 10:11:12 GMT+0100 or Sat, 21 Nov 2026 10:11:12 GMT', '<date>'],
    ['balance -5 of -1.5e-7', 'balance <number> of <number>'],
    ['hash 5f2a1c, usr_9fA2bC and git 5fffffe, f9c8', 'hash <id>, usr_<id> and git <id>'],
    ['worker-7f9c8d-x2k, worker-6d5f8b-xkzvb or api-7f9c4d5b6-2xk4z is gone', 'worker-<id>, worker-<id> or api-<id> is gone'],
    ['part 7f9c8d-copy and 6d5f8b-moved', 'part <id>-copy and <id>-moved'],
    [
      'sha256, utf8, http2, ipv4, s3, step3, ECONNRESET',
      'sha<number>, utf<number>, http<number>, ipv<number>, s<number>, step<number>, ECONNRESET'
    ],
    [
      'neo4j, i18n, k8s, Uint8Array, v1beta1, e2e',
      'neo<number>j, i<number>n, k<number>s, Uint<number>Array, v<number>beta<number>, e<number>e'
    ],
    ['decoder 5 failed after 3 tries on 3 May 2026 at 10:11', 'decoder <number> failed after <number> tries on <date>'],
    ['HTTP 503, zip code 80331, exit code 137, error 17', 'HTTP 503, zip code <number>, exit code 137, error <number>'],
    ['550 5.1.1 <a@example.org> unknown, version 5.1.1', '<number> 5.1.1 <<email>> unknown, version <number>'],
    ['cannot read /srv/Rechnung 74.xlsx at +49 (170) 123-45', 'cannot read <path> at <number>'],
    ['{"amount":5,"code":17}', '{"amount":<value>,"code":17}'],
    ['at 2026-11-21T10:11:12.345Z after 1.5e10 ms', 'at <date> after <number>']
  ] as const
  for (const [message, expected] of table) t.equal(normalizeMessage(message), expected)
})

t.test("the frame is the innermost one of the application's own code, without line numbers", async t => {
  const stack = [
    'TypeError: x', '    at node:internal/process/task_queues:95:5', '    at Socket.emit (node:events:513:28)',
    '    at request (/app/node_modules/got/dist/index.js:1:2)', '    at async Mailer.send (file:///srv/release-42/src/mail.js:10:7)',
    '    at main (/app/main.js:1:1)'
  ].join('\n')
  t.equal(topOwnFrame(stack), 'Mailer.send@src/mail.js')
  t.equal(topOwnFrame('Error: x\n    at /app/jobs/run.ts:3:9'), '@jobs/run.ts')
  t.equal(topOwnFrame('Error: x\n    at run (C:\\app\\jobs\\run.js:3:9)'), 'run@jobs/run.js')
  t.equal(topOwnFrame('Error: x\n    at node:internal/main:1:1'), null)
  const own = '\n    at run (/app/jobs/run.js:1:2)'
  const notOwn = [
    'at async Promise.all (index 7)', 'at new Promise (<anonymous>)', 'at JSON.parse (<anonymous>)',
    'at eval (eval at load (/app/a.js:9:2), <anonymous>:1:7)', 'at wasm://wasm/0012ab:wasm-function[12]:0x12',
    'at go (C:\\app\\node_modules\\pg\\lib\\client.js:1:2)', 'at go (/app/node_modules/.pnpm/pg@8/node_modules/pg/client.js:1:2)',
    'at lunch we met'
  ]
  for (const frame of notOwn) t.equal(topOwnFrame(`Error: x\n    ${frame}${own}`), 'run@jobs/run.js', frame)
})

t.test('bundling and minifying do not change the frame', async t => {
  const table = [
    ['send (/app/dist/bundle.a1b2c3d4.js:1:48211)', 'send@dist/bundle.js'],
    ['send (/app/dist/chunk-ABCD1234.mjs:1:2)', 'send@dist/chunk.mjs'],
    ['send (/app/dist/mail-BGQAORwI.js:1:2)', 'send@dist/mail.js'], ['r (/app/dist/main.js:1:48211)', '@dist/main.js'],
    ['send (webpack:///./src/mail.ts?:3:4)', 'send@src/mail.ts'],
    ['send (/app/src/send-Reminder.ts:1:2)', 'send@src/send-Reminder.ts'],
    ['send (/app/src/orders.sendMail.ts:1:2)', 'send@src/orders.sendMail.ts'],
    ['send (/app/src/invoice-v2.ts:1:2)', 'send@src/invoice-v2.ts']
  ] as const
  for (const [frame, expected] of table) t.equal(topOwnFrame(`Error: x\n    at ${frame}`), expected)
  t.equal(topOwnFrame(null), null)
  t.equal(topOwnFrame('not a stack'), null)
})

t.test('equal errors share a group, and errors of another type, message or frame do not', async t => {
  const stack = (line: number) => `Error\n    at send (/app/mail.js:${line}:1)`
  const group = errorGroupOf({ type: 'Error', message: 'order 1 gone', stack: stack(1) })
  t.match(group, /^[0-9a-f]{12}$/)
  t.equal(errorGroupOf({ type: 'Error', message: 'order 22 gone', stack: stack(80) }), group)
  t.not(errorGroupOf({ type: 'TypeError', message: 'order 1 gone', stack: stack(1) }), group)
  t.not(errorGroupOf({ type: 'Error', message: 'invoice 1 gone', stack: stack(1) }), group)
  t.not(errorGroupOf({ type: 'Error', message: 'order 1 gone', stack: null }), group)
})

t.test('a hostile message takes less than a hundred times as long as an ordinary one', async t => {
  const ordinary = quickestMs('connection to the server was reset by its peer '.repeat(2_000))
  for (const text of [
    '"'.repeat(50_000), 'a@'.repeat(50_000), '/a'.repeat(50_000), 'a-'.repeat(50_000), ':'.repeat(50_000),
    "a'".repeat(50_000), 'a:'.repeat(50_000), 'a1'.repeat(50_000), 'aA1-'.repeat(50_000), '-'.repeat(50_000),
    `${'1'.repeat(500)}${'z'.repeat(499)}Z`, '1a'.repeat(2) + '-b2'.repeat(20_000), '    at ('.repeat(20_000)
  ]) {
    const hostile = quickestMs(text)
    t.ok(hostile < 100 * ordinary, `${text.slice(0, 10)}: ${hostile.toFixed(2)} ms, ordinary: ${ordinary.toFixed(2)} ms`)
  }
})

/** Other tests run at the same time, so the fastest of five runs counts. */
function quickestMs(text: string): number {
  return Math.min(...Array.from({ length: 5 }, () => {
    const start = performance.now()
    errorGroupOf({ type: 'Error', message: text, stack: text })
    errorGroupOf({ type: 'Error', message: 'x', stack: `Error\n    at ${text}` })
    return performance.now() - start
  }))
}
