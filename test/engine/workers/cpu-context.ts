import { AsyncLocalStorage } from 'node:async_hooks'
import type { EngineRun } from '../../../lib/engine/engine.ts'

const storage = new AsyncLocalStorage<EngineRun>()

export function runWithExecution<Result>(run: EngineRun, callback: () => Result): Result {
  return storage.run(run, callback)
}

export function runOf(): EngineRun {
  return storage.getStore()!
}
