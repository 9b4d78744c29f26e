import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { waitFor } from '../../support/wait-for.ts'

for (const what of ['loop', 'hang']) {
  t.test(`the process of a cpu task in a ${what} ends when its parent process is killed`, async t => {
    const parent = fork(fileURLToPath(new URL('./cpu-parent.ts', import.meta.url)), [what])
    const [pid] = await once(parent, 'message') as [number]
    t.teardown(() => { if (isAlive(pid)) process.kill(pid, 'SIGKILL') })
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    await waitFor('the process to be gone', async () => !isAlive(pid))
    t.pass()
  })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
