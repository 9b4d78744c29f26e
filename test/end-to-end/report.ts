import { appendFileSync } from 'node:fs'
import { currentExecution } from '../../lib/index.ts'

/** A task of type `cpu`: it runs in its own process and still knows the current execution. */
export default async function report(index: number, tally: string): Promise<number> {
  appendFileSync(tally, `report ${index} ${process.pid}\n`)
  let sum = 0
  for (let step = 0; step < 200_000; step++) sum += step % 7
  await currentExecution().progress(100)
  return sum + index
}
