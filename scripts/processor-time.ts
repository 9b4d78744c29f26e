import { readFileSync } from 'node:fs'

/** Fields of /proc/self/stat after the name of the program: ticks that ended children used themselves and in the kernel. See proc(5). */
const CHILDREN_USER = 13
const CHILDREN_KERNEL = 14
/** On every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

let taken = childrenSeconds()

/**
 * Seconds of the processor that children which have ended used since the last call, their own children included. Asked when each
 * child ends, it tells what that one used. 0 where the system does not say.
 */
export function takeProcessorSeconds(): number {
  const before = taken
  taken = childrenSeconds()
  return taken - before
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
