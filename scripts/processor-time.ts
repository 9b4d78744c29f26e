import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import type { Machine } from './share-cores.ts'

/** Fields of /proc/self/stat after the program's name: user and kernel ticks of children that have ended. See proc(5). */
const CHILDREN_USER = 13
const CHILDREN_KERNEL = 14
/** The same on every Linux that Node supports. */
const TICKS_PER_SECOND = 100

let taken = childrenSeconds()

/**
 * CPU seconds used by children that have ended since the last call, including their own children. If it is called whenever a child ends, it
 * returns that child's time. 0 if the system does not report it.
 */
export function takeProcessorSeconds(): number {
  const before = taken
  taken = childrenSeconds()
  return taken - before
}

/**
 * Starts to watch the whole machine.
 * @returns a function that returns the share of CPU time that has been idle since then; null if the system does not report it
 */
export function watchIdleness(): () => number | null {
  const before = machineTimes()
  return () => {
    const after = machineTimes()
    const all = after.all - before.all
    return all > 0 ? (after.idle - before.idle) / all : null
  }
}

/** Watches the whole machine from now on, for `shareCores`. */
export function watchMachine(): Machine {
  return {
    // Long enough that a process that has just started shows what it needs.
    hasSpare: watchSpare({ share: 0.04, windowMs: 1_000, unknown: true }),
    // Long enough to cover a short wait of all that run.
    isIdle: watchSpare({ share: 0.2, windowMs: 2_500, unknown: false })
  }
}

/** A measurement over more windows than this includes a time before the processes that run now. */
const MAX_WINDOWS = 2

/**
 * @returns a function that tells whether at least this share of the CPU time has been idle since its last measurement. It measures at most
 * once per window, and returns false in between. Always `unknown` if the system does not report it
 */
export function watchSpare({ share, windowMs, unknown }: { share: number, windowMs: number, unknown: boolean }): () => boolean {
  let idleShare = watchIdleness()
  let since = performance.now()
  return () => {
    if (cpus().length === 0) return unknown
    const passedMs = performance.now() - since
    if (passedMs < windowMs) return false
    const measured = idleShare()
    idleShare = watchIdleness()
    since = performance.now()
    return measured === null ? unknown : measured >= share && passedMs < MAX_WINDOWS * windowMs
  }
}

function machineTimes(): { readonly idle: number, readonly all: number } {
  const times = cpus().map(({ times }) => times)
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap(each => Object.values(each))) }
}

function childrenSeconds(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ')
    return (Number(fields[CHILDREN_USER]) + Number(fields[CHILDREN_KERNEL])) / TICKS_PER_SECOND
  } catch {
    return 0
  }
}
