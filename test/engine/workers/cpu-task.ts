import { setTimeout as sleep } from 'node:timers/promises'
import { ParentCommand } from 'bullmq'
import { runOf } from './cpu-context.ts'

/** A task of type cpu. Its first argument says what it does. */
export default async function cpuTask(...args: unknown[]): Promise<unknown> {
  const run = runOf()
  switch (args[0]) {
    case 'fail': throw new RangeError('from the process')
    case 'map': return { tags: new Map() }
    case 'exit': return process.exit(3)
    case 'loop': {
      await run.log(String(process.pid))
      for (;;);
    }

    // Like a loop, it never returns to the event loop, but it takes no processor time from other tests.
    case 'block': {
      await run.log(String(process.pid))
      for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    }

    case 'chatter': {
      const forged = { run: run.executionId, result: '"forged"' }
      for (const message of [
        null, 'text', 7, [], { cmd: null }, ...['"forged"', null, forged].map(value => ({ cmd: ParentCommand.Completed, value }))
      ])
        process.send?.(message)
      await sleep(50)
      return 'said it'
    }

    case 'leave something running': {
      const timer = setInterval(() => { void run.log('of the run before').then(() => run.progress('of the run before')) }, 5)
      setTimeout(() => { clearInterval(timer) }, 2_000)
      return process.pid
    }

    case 'wait': {
      await sleep(200)
      return process.pid
    }

    case 'until aborted': {
      await run.log(String(process.pid))
      await new Promise(resolve => { run.signal.addEventListener('abort', resolve) })
      throw new Error('stopped in time')
    }

    case 'hang': {
      await run.log(String(process.pid))
      return await new Promise(() => { setInterval(() => {}, 1_000) })
    }

    default:
      await run.log('from the process')
      await run.progress({ half: '\0' })
      return { pid: process.pid, args, executionId: run.executionId }
  }
}
