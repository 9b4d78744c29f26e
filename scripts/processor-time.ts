import { readFileSync } from 'node:fs'

/** Fields of /proc/self/stat after the program's name: user and kernel ticks of children that have ended. See proc(5). */
const CHILDREN_USER = 13
const CHILDREN_KERNEL = 14
/** The same on every Linux that Node supports. */
const TICKS_PER_SECOND = 100

let taken = childrenSeconds()

/**
 * CPU seconds used by children that have ended since the last call, including their own children. Called when each child ends, it returns
 * that child's time. 0 if the system does not report it.
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
