import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cpus } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { takeProcessorSeconds, watchIdleness, watchSpare } from '../../scripts/processor-time.ts'

t.test('the processor time of an ended child is returned once, and is 0 if the system does not report it', async t => {
  takeProcessorSeconds()
  spawnSync(process.execPath, ['-e', 'for (const end = Date.now() + 60_000; process.cpuUsage().user < 300_000 && Date.now() < end;);'])
  const seconds = takeProcessorSeconds()
  if (existsSync('/proc/self/stat')) t.ok(seconds >= 0.25 && seconds < 10, `${seconds} s of at least 0.3 s, in ticks of 0.01 s`)
  else t.equal(seconds, 0)
  t.equal(takeProcessorSeconds(), 0)
})

t.test('the unused share of the machine\'s processor time is returned, or null if the system does not report it', async t => {
  const idleShare = watchIdleness()
  spawnSync(process.execPath, ['-e', 'for (const end = Date.now() + 60_000; process.cpuUsage().user < 100_000 && Date.now() < end;);'])
  const share = idleShare()
  t.ok(share === null || (share >= 0 && share < 1), `${share}`)
})

t.test('spare processor time is measured once per window', async t => {
  const [always, never] = [0, 2].map(share => watchSpare({ share, windowMs: 100, unknown: true })) as [() => boolean, () => boolean]
  const isReported = cpus().length > 0
  t.strictSame([always(), never()], [!isReported, !isReported], 'not in the first window')
  await setTimeout(110)
  t.strictSame([always(), never()], [true, !isReported])
  t.strictSame([always(), never()], [!isReported, !isReported], 'measured a moment ago')
})

t.test('a measurement over several windows proves nothing about the present', async t => {
  const isIdle = watchSpare({ share: 0, windowMs: 50, unknown: true })
  await setTimeout(150)
  t.equal(isIdle(), cpus().length === 0)
})
