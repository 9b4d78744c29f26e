import t from 'tap'
import { LIMITS } from '../../lib/backend/entry/limits.ts'
import { MAX_MESSAGE_LENGTH, MAX_STACK_LENGTH } from '../../lib/engine/jobs/attempt-error.ts'
import { MAX_LOG_LINES } from '../../lib/engine/workers/run-log.ts'

// The engine and the result backend do not import each other, so nothing else compares their limits. If the engine passed on no more than
// the history keeps, the history could not tell that something was cut.
t.test('the engine passes on more of an execution than the history keeps', async t => {
  for (const [what, passedOn, kept] of [
    ['characters of a message', MAX_MESSAGE_LENGTH, LIMITS.messageCharacters],
    ['characters of a stack', MAX_STACK_LENGTH, LIMITS.stackCharacters],
    ['lines of a log', MAX_LOG_LINES, LIMITS.logLines]
  ] as const) t.ok(passedOn > kept, `${what}: ${passedOn} of the engine, ${kept} of the history`)
})
