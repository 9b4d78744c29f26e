import { createCpuRunner } from '../../../lib/engine/workers/cpu-runner.ts'

/** A process with a `cpu` task. Runs the task with the argument of this process, and sends the id of the task's process to the parent. */
const runner = createCpuRunner(new URL('./cpu-task.ts', import.meta.url), new URL('./cpu-context.ts', import.meta.url))
const data = { args: JSON.stringify([process.argv[2]]) }
const job = {
  asJSONSandbox: () => ({ id: 'x', name: 'task', data: JSON.stringify(data), opts: {}, attemptsMade: 0, timestamp: 0 }),
  log: async (line: string) => { process.send!(Number(line)) }
}
await runner.run(job as never, 'token', new AbortController().signal)
