import t from 'tap'
import * as programs from './typed-tasks.ts'

t.test('the compiler refuses wrong names, arguments and results', async t => {
  t.ok(Object.values(programs).length > 5)
  for (const [name, program] of Object.entries(programs)) t.type(program, 'function', name)
})
