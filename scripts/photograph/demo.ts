import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

const START_MS = 90_000
const STOP_MS = 20_000

/** Runs the demo while `work` does something with its address. */
export async function withDemo(work: (address: string) => Promise<void>): Promise<void> {
  const demo = spawn(process.execPath, ['--import', 'tsx', 'examples/demo/main.ts'], { stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => demo.kill('SIGKILL'))
  try {
    await work(await addressOf(demo))
  } finally {
    await stop(demo)
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  if (await Promise.race([ended, sleep(STOP_MS, null, { ref: false })]) === null)
    throw new Error(`The demo did not stop within ${STOP_MS / 1000} s`)
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  let text = ''
  const found = new Promise<string>((resolve, reject) => {
    stdout!.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const address = /Dashboard +(\S+)/.exec(text)?.[1]
      if (address !== undefined) resolve(address)
    })
    stdout!.once('end', () => reject(new Error(`The demo ended:\n${text}`)))
  })
  const address = await Promise.race([found, sleep(START_MS, null, { ref: false })])
  if (address === null) throw new Error(`The demo gave no address within ${START_MS / 1000} s:\n${text}`)
  return address
}
