import { runOf } from './cpu-context.ts'

/** A task of type cpu for tests; its first argument says what it does. */
export default async function cpuTask(...args: unknown[]): Promise<unknown> {
  const run = runOf()
  switch (args[0]) {
    case 'fail': throw new RangeError('from the process')
    case 'exit': return process.exit(3)
    case 'loop': {
      await run.log(String(process.pid))
      for (;;);
    }

    case 'chatter': {
      for (const message of [null, 'text', 7, [], { cmd: null }]) process.send?.(message)
      return 'said it'
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
